// The names in a resource's schema whose values nobody is to see.
#pragma once

#include "protocol/schema/schema.hpp"

#include <set>
#include <string_view>
#include <vector>

namespace tofud::redact {

/// Of one schema, which must outlive it. For lines of source of which it is not known where in the
/// resource they stand: a name is one wherever it is in the schema.
class sensitive_names {
 public:
  explicit sensitive_names(const schema::block& within);

  /// Whether there are any.
  bool any() const { return !hidden_.empty(); }
  /// Whether what is assigned to that name may be hidden: a sensitive (or write-only) attribute, or
  /// one in it; or nothing the schema or the language knows, as a key in a sensitive map.
  bool hides(std::string_view name) const;

 private:
  void learn(const std::vector<schema::attribute>& attributes, bool inside);
  void learn(const schema::block& within);
  void learn_members(const schema::type& of);

  std::set<std::string_view> hidden_, known_;
};

/// Whether `names` lead to a sensitive (or write-only) attribute or into one.
bool is_sensitive(const schema::block& within, const std::vector<std::string_view>& names);

}  // namespace tofud::redact
