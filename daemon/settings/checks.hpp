// What the text of an option may look like. Each returns an empty string, or what is wrong as the
// end of a sentence that begins with the option. Who may ask is read as daemon/access reads it.
#pragma once

#include <string>

namespace tofud::settings {

std::string check_endpoint(const std::string& text);      // 127.0.0.1:8638, [::1]:0
std::string check_proxy(const std::string& text);         // 10.0.0.0/8, 127.0.0.1@www-data, unix
std::string check_group_stacks(const std::string& text);  // GROUP=PATTERN
std::string check_host(const std::string& text);          // name or address, with or without port
std::string check_origin(const std::string& text);        // https://name, with or without port
std::string check_base_path(const std::string& text);     // empty, /tofud, or /tofud/
std::string check_scopes(const std::string& text);        // some of read, ingest, raw; by commas
std::string check_header_name(const std::string& text);   // empty, or X-Forwarded-User
std::string check_claim_pattern(const std::string& text);
std::string check_stack_template(const std::string& text);
std::string check_label(const std::string& text);
std::string check_issuer(const std::string& text);
std::string check_login_scopes(const std::string& text);
std::string check_algorithm(const std::string& text);
std::string check_occasion(const std::string& text);
std::string check_stack_pattern(const std::string& text);
std::string check_mail_address(const std::string& text);
std::string check_archive(const std::string& text);           // empty, a path, s3://BUCKET/PREFIX
std::string check_nats_server(const std::string& text);       // nats://HOST[:PORT], tls://…
std::string check_cluster_name(const std::string& text);      // a word
std::string check_otlp_endpoint(const std::string& text);     // empty, http[s]://HOST[:PORT][/PATH]
std::string check_archive_endpoint(const std::string& text);  // empty, https://HOST:PORT
std::string check_region(const std::string& text);
std::string check_word(const std::string& text);  // not empty

}  // namespace tofud::settings
