#include "daemon/redaction/secret_names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace tofud::redaction {
namespace {

struct word {
  std::string_view text;
  enum where { anywhere, last, whole } stands;
};

// In capitals; names are compared so, since Terraform's variables (TF_VAR_db_password) are small.
constexpr word of_secrets[] = {
    {"TOKEN", word::anywhere},              // GITHUB_TOKEN, VAULT_TOKEN, TF_TOKEN_app_terraform_io
    {"SECRET", word::anywhere},             // AWS_SECRET_ACCESS_KEY, ARM_CLIENT_SECRET
    {"PASSWORD", word::anywhere},           // PGPASSWORD, TF_VAR_db_password
    {"PASSWD", word::anywhere},             // MYSQL_PASSWD
    {"PASSPHRASE", word::anywhere},         // PULUMI_CONFIG_PASSPHRASE, TF_ENCRYPTION's
    {"CREDENTIAL", word::anywhere},         // GOOGLE_CREDENTIALS
    {"PRIVATE", word::anywhere},            // SSH_PRIVATE_KEY, OCI_PRIVATE_KEY
    {"APIKEY", word::anywhere},             // DATADOG_APIKEY
    {"_KEY", word::last},                   // DD_API_KEY, ARM_ACCESS_KEY; not AWS_ACCESS_KEY_ID
    {"_PAT", word::last},                   // AZDO_PAT
    {"_PSK", word::last},                   // pre-shared keys of a VPN
    {"PASS", word::last},                   // SMTP_PASS, SSHPASS, DBPASS
    {"PASSCODE", word::anywhere},           // TF_VAR_passcode
    {"CREDS", word::anywhere},              // TF_VAR_creds
    {"CONNECTION_STRING", word::anywhere},  // AZURE_STORAGE_CONNECTION_STRING
    {"CONNECTIONSTRING", word::anywhere},
    {"_DSN", word::last},         // DATABASE_DSN
    {"_KEY_", word::anywhere},    // JWT_SIGNING_KEY_2, TF_VAR_cert_key_pem; not …_KEY_ID
    {"AUTH_CONFIG", word::last},  // DOCKER_AUTH_CONFIG
    {"_SALT", word::last},        // TF_VAR_salt
    {"_JWT", word::last},
    {"_PWD", word::last},   // DB_PWD; PWD itself is where we are
    {"_AUTH", word::last},  // NPM_CONFIG__AUTH
    {"PW", word::last},     // LDAP_BIND_PW, TF_VAR_rootpw
    {"_PIN", word::last},   // ADMIN_PIN
    {"_OTP", word::last},
    {"TOTP", word::anywhere},  // TOTP_SEED
    {"_SAS", word::last},      // shared access signatures of Azure
    {"ACCESSKEY", word::anywhere},
    {"MASTERKEY", word::anywhere},
    {"KEY_PEM", word::last},
    {"BEARER", word::anywhere},
    {"COOKIE", word::anywhere},         // SESSION_COOKIE
    {"AUTHORIZATION", word::anywhere},  // HTTP's header of that name
    {"AUTH_HEADER", word::last},
    {"TF_ENCRYPTION", word::whole},  // keys of the state's encryption
};

// What would be one of the words below: Vault's secret ids are the secret half of a login, and who
// knows the URL of a webhook may post there.
constexpr word of_secrets_after_all[] = {
    {"SECRET_ID", word::last}, {"SECRETID", word::last}, {"WEBHOOK_URL", word::last}};

// What says something about a secret.
constexpr word of_others[] = {
    {"_TTL", word::last},         {"_TIMEOUT", word::last}, {"_LENGTH", word::last},
    {"_EXPIRES", word::last},     {"_EXPIRY", word::last},  {"_ID", word::last},
    {"_NAME", word::last},        {"_USER", word::last},    {"_USERNAME", word::last},
    {"_TYPE", word::last},        {"_ENABLED", word::last}, {"_REGION", word::last},
    {"_URL", word::last},         {"_URI", word::last},     {"_ENDPOINT", word::last},
    {"SSH_AUTH", word::whole},    {"_SOCK", word::last},    {"_VERSION", word::last},
    {"_PARALLELISM", word::last},
};

constexpr std::string_view switches[] = {
    "true",   "false", "enabled", "disabled",   "default", "required",   "optional",
    "always", "never", "bearer",  "production", "staging", "development"};

// JWT is as good as MY_JWT; PWD is where we are.
bool is_alone(std::string_view name, std::string_view word) {
  return word.starts_with('_') && name == word.substr(1) && name != "PWD";
}

bool fits(std::string_view name, const word& each) {
  switch (each.stands) {
    case word::anywhere:
      return name.find(each.text) != name.npos;
    case word::last:
      return name.ends_with(each.text) || is_alone(name, each.text);
    case word::whole:
      return name == each.text;
  }
  return false;
}

std::string in_capitals(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

}  // namespace

bool is_secret_name(std::string_view name) {
  const std::string capitals = in_capitals(name);
  const auto is_of = [&capitals](const word& each) { return fits(capitals, each); };
  if (std::any_of(std::begin(of_secrets_after_all), std::end(of_secrets_after_all), is_of))
    return true;
  return std::any_of(std::begin(of_secrets), std::end(of_secrets), is_of) &&
         std::none_of(std::begin(of_others), std::end(of_others), is_of);
}

bool is_no_secret_value(std::string_view value) {
  const bool is_switch =
      std::find(std::begin(switches), std::end(switches), value) != std::end(switches);
  // 3600000 is a duration or a size. A PIN of six digits is one as well, and is guessed in no time.
  const bool is_number = value.size() < 8 && value.find_first_not_of("0123456789.") == value.npos;
  return is_switch || is_number;
}

}  // namespace tofud::redaction
