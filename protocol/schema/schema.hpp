// What a provider says of its types: one model, whether it was read from `providers schema -json`
// or from a Provider Code Specification.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::schema {

/// A type of values, as cty writes it in JSON: "string", ["list", T], ["object", {"name": T}].
struct type {
  enum class kind : std::uint8_t {
    dynamic,
    boolean,
    number,
    string,
    list,
    set,
    map,
    object,
    tuple
  };
  struct member;

  type(kind which = kind::dynamic);

  kind what;
  std::vector<type> elements;   // one of a list, set or map; each of a tuple
  std::vector<member> members;  // of an object, in the order of their names' bytes

  friend bool operator==(const type&, const type&);
};

struct type::member {
  std::string name;
  type of;

  friend bool operator==(const member&, const member&);
};

inline type::type(kind which) : what{which} {}

/// How often something nested may be there, and how its instances are told apart. An attribute is
/// never `group`.
enum class nesting : std::uint8_t { single, group, list, set, map };

/// Whether a change is known to replace the whole object. Only a specification says so, as a text
/// of Go code in its plan modifiers: a hint, no promise. A plan says it of each change.
enum class replacement : std::uint8_t { unsaid, possible, certain };

struct attribute;

/// What an attribute that has attributes of its own is made of.
struct nested_attributes {
  schema::nesting nesting = nesting::single;
  std::vector<attribute> attributes;  // in the order of their names' bytes

  friend bool operator==(const nested_attributes&, const nested_attributes&);
};

struct attribute {
  std::string name;
  schema::type type;                                     // if nothing is nested
  std::shared_ptr<const nested_attributes> nested = {};  // else this
  bool required = false, optional = false, computed = false;
  bool sensitive = false, write_only = false, deprecated = false;
  std::string description = {}, deprecation_message = {};
  schema::replacement replacement = schema::replacement::unsaid;
  std::string default_value = {};            // as JSON; empty: none, or only the provider knows it
  std::vector<std::string> validators = {};  // Go code, which only a specification has

  /// What is nested is compared as well.
  friend bool operator==(const attribute&, const attribute&);
};

struct block_type;

struct block {
  std::vector<attribute> attributes;  // both in the order of their names' bytes
  std::vector<block_type> blocks;
  bool deprecated = false;
  std::string description = {}, deprecation_message = {};

  friend bool operator==(const block&, const block&);
};

struct block_type {
  std::string name;
  schema::nesting nesting = nesting::list;
  std::uint64_t least = 0, most = 0;  // instances; 0: not said
  schema::block block;
  schema::replacement replacement = schema::replacement::unsaid;
  std::vector<std::string> validators = {};

  friend bool operator==(const block_type&, const block_type&);
};

/// Of one resource type, data source or provider. The identity of a resource type has attributes
/// only; those that an import needs are `required`, those that it takes `optional`.
struct object_schema {
  std::uint64_t version = 0;  // a specification has none: 0
  schema::block block;

  friend bool operator==(const object_schema&, const object_schema&);
};

enum class mode : std::uint8_t { managed, data, ephemeral };

/// nullptr: none of that name.
const attribute* find_attribute(const std::vector<attribute>& among, std::string_view name);
const block_type* find_block(const block& within, std::string_view name);

/// The schemas of providers by their address ("registry.opentofu.org/hashicorp/null").
class schemas {
 public:
  using by_type = std::map<std::string, object_schema, std::less<>>;
  struct provider {
    std::optional<object_schema> configuration;
    by_type resources, data_sources, ephemeral_resources, identities;

    friend bool operator==(const provider&, const provider&) = default;
  };

  std::map<std::string, provider, std::less<>> providers;

  /// nullptr: nothing is known of it.
  const object_schema* find(std::string_view provider, mode of, std::string_view type) const;

  friend bool operator==(const schemas&, const schemas&) = default;
};

}  // namespace tofud::schema
