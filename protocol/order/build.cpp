#include "protocol/order/build.hpp"

#include "protocol/config/configuration.hpp"
#include "protocol/order/block_names.hpp"
#include "protocol/order/limits.hpp"
#include "protocol/ui/resource_address.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tofud::order {
namespace {

using attachments::declared_block;

/// Views into the address that it is of, and into the builder's names.
struct instance {
  std::string_view block;   // without keys
  std::string_view module;  // of its instance, keys and all; empty: the root module
  std::string_view key;     // `["x"]`, `[0]` or nothing
};

struct placed_operation {
  vertex at = no_vertex;
  instance of;
  const known_object* object = nullptr;  // of the state before; null: none is known
  bool first = false;                    // of a removal: what is new is created before
};

class builder {
 public:
  builder(const std::vector<planned_object>& planned, const facts& known)
      : planned_{planned}, known_{known} {
    if (known_.config != nullptr && !known_.config->has_order()) known_.config = nullptr;
    makes_.reserve(planned.size());
    made_.reserve(planned.size());
  }

  order build() {
    add_operations();
    connect_makes();
    connect_waiting();
    find_created_first();
    choose_what_is_created_first();
    for (const placed_operation& each : removals_) connect_removal(each);
    for (const placed_operation& each : makes_) connect_make(each);
    return std::move(made_);
  }

 private:
  // ---- operations -----------------------------------------------------------------------------

  /// Nothing: it is the address of no resource.
  std::optional<instance> taken_apart(std::string_view address) {
    const auto parts = ui::parse_address(address);
    if (!parts) return std::nullopt;
    instance made;
    made.module = parts->module;
    const std::size_t key = parts->resource.find('[');
    if (key != std::string_view::npos) made.key = parts->resource.substr(key);
    if (made.module.find('[') == std::string_view::npos) {
      made.block = address.substr(0, address.size() - made.key.size());
      return made;
    }
    auto names = ui::without_keys(address);
    if (!names) return std::nullopt;
    made.block = *blocks_.insert(std::move(*names)).first;
    return made;
  }

  using by_block = std::map<std::string, std::vector<std::size_t>, std::less<>>;

  /// Its entry for a block; those of one block come one after the other, as a rule.
  static std::vector<std::size_t>& entry(by_block& of, by_block::iterator& last,
                                         std::string_view block) {
    if (last == of.end() || last->first != block) {
      last = of.find(block);
      if (last == of.end()) last = of.emplace(block, std::vector<std::size_t>{}).first;
    }
    return last->second;
  }

  const known_object* object_of(const std::string& address, const std::string& deposed) const {
    if (known_.state == nullptr) return nullptr;
    const auto found = known_.state->find({address, deposed});
    return found == known_.state->end() ? nullptr : &found->second;
  }

  void connect_waiting() {
    while (!waiting_.empty()) {
      const std::string next = std::move(waiting_.front());
      waiting_.pop_front();
      connect_references(next);
    }
  }

  void add_operations() {
    boost::unordered_flat_set<std::string_view> seen;
    seen.reserve(planned_.size());
    for (const planned_object& each : planned_) {
      if (!seen.insert(each.address).second) continue;
      auto of = taken_apart(each.address);
      if (!of) continue;
      const known_object* object = object_of(each.address, "");
      if (each.makes) {
        entry(makes_of_, last_make_, of->block).push_back(makes_.size());
        makes_.push_back(
            {made_.add({each.address, effect::make, "", each.making}), *of, object, false});
      }
      if (each.removes) add_removal(each, *of, object, "");
      for (const std::string& key : each.deposed) {
        add_removal(each, *of, object_of(each.address, key), key);
      }
    }
  }

  void add_removal(const planned_object& from, const instance& of, const known_object* object,
                   const std::string& deposed) {
    entry(removals_of_, last_removal_, of.block).push_back(removals_.size());
    placed_operation added{made_.add({from.address, effect::remove, deposed, "delete"}), of, object,
                           false};
    if (!deposed.empty())
      added.first = true;
    else if (from.makes && from.create_before_destroy)
      added.first = *from.create_before_destroy;
    else if (object != nullptr && object->create_before_destroy)
      added.first = *object->create_before_destroy;
    else
      unsaid_.push_back(removals_.size());
    removals_.push_back(added);
  }

  /// Where neither plan nor state says what is created first, its block does, or one that depends
  /// on it.
  void find_created_first() {
    if (unsaid_.empty() || known_.config == nullptr) return;
    boost::unordered_flat_set<std::string> chosen;
    std::vector<vertex> open;
    for (const auto& [address, block] : known_.config->blocks()) {
      if (!block.create_before_destroy.value_or(false)) continue;
      chosen.insert(address);
      open.push_back(expanded(address));
    }
    connect_waiting();
    boost::unordered_flat_set<vertex> seen{open.begin(), open.end()};
    constexpr std::string_view complete = "complete ";
    while (!open.empty()) {
      const vertex at = open.back();
      open.pop_back();
      const std::string_view name = made_.name(at);
      if (name.starts_with(complete)) {
        const std::string_view address = name.substr(complete.size());
        chosen.emplace(address.substr(0, address.find_first_of("[ ")));
      }
      for (const vertex before : made_.before(at)) {
        if (seen.insert(before).second) open.push_back(before);
      }
    }
    if (known_.state != nullptr) {
      // Of what was removed from the configuration the state alone says who depended on it.
      std::vector<const std::string*> depended_on;
      for (const auto& [at, object] : *known_.state) {
        const auto names = ui::without_keys(at.first);
        if (!names || !chosen.contains(*names)) continue;
        for (const std::string& each : object.dependencies) depended_on.push_back(&each);
      }
      for (const std::string* each : depended_on) chosen.insert(*each);
    }
    for (const std::size_t each : unsaid_)
      removals_[each].first = chosen.contains(std::string{removals_[each].of.block});
  }

  /// What depends on something that is created before it is destroyed is, too, and so on down.
  void choose_what_is_created_first() {
    std::vector<const placed_operation*> open;
    std::set<std::pair<std::string_view, std::string_view>>
        chosen;  // blocks in instances of modules
    for (const placed_operation& each : removals_) {
      if (each.first) open.push_back(&each);
    }
    while (!open.empty()) {
      const placed_operation& from = *open.back();
      open.pop_back();
      for (const std::string& block : dependencies_of(from)) {
        const auto found = removals_of_.find(block);
        if (found == removals_of_.end()) continue;
        if (!chosen.emplace(found->first, among(block, from.of)).second) continue;
        for (const std::size_t number : found->second) {
          placed_operation& other = removals_[number];
          if (other.first || in_other_instance(other.of, from.of)) continue;
          other.first = true;
          open.push_back(&other);
        }
      }
    }
  }

  /// Whether the program forgets to let an instance wait for its block: OpenTofu does in modules
  /// that have keys (transform_diff.go looks the block up by its address with them).
  bool apart(const instance& of) const {
    return known_.waits == waiting_by::module_instance &&
           of.module.find('[') != std::string_view::npos;
  }

  // ---- what the configuration says --------------------------------------------------------------

  const declared_block* declared(const std::string& address) const {
    if (known_.config == nullptr) return nullptr;
    const auto& all = known_.config->blocks();
    const auto found = all.find(address);
    return found == all.end() ? nullptr : &found->second;
  }

  /// A hub of that name, and whether it is new.
  std::pair<vertex, bool> hub(std::string name) {
    const auto [at, added] = hubs_.try_emplace(std::move(name), no_vertex);
    if (added) at->second = made_.add_hub(at->first);
    return {at->second, added};
  }

  /// What a block refers to has been done, and what its module's calls wait for.
  vertex expanded(const std::string& address) {
    const auto [at, added] = hub("expand " + address);
    if (added) waiting_.push_back(address);
    return at;
  }

  /// What an instance of a block in one instance of its module waits for: what the block refers to,
  /// where that stands in the same module in the same instance alone.
  vertex expanded_in(const std::string& address, std::string_view module) {
    const auto [at, added] = hub("expand " + address + " in " + std::string{module});
    if (!added) return at;
    const std::string_view path = module_of(address);
    made_.connect(begun_module(path), at, origin::configuration);
    if (const vertex provider = provider_of(address); provider != no_vertex)
      made_.connect(provider, at, origin::configuration);
    const declared_block* block = declared(address);
    if (block == nullptr) return at;
    for (const config::reference& each : block->references) {
      const std::string_view name = std::string_view{each.target}.substr(0, each.target.find('['));
      if (config::is_resource(name))
        connect_in(below(path, name), std::string_view{each.target}.substr(name.size()), module,
                   at);
      else
        connect_target(each.target, path, at);
    }
    return at;
  }

  /// Behind those makes of a block that stand in one instance of its module, and behind what the
  /// block itself waits for in all of them.
  void connect_in(const std::string& block, std::string_view key, std::string_view module,
                  vertex to) {
    if (!key.empty() && !is_made(block, key)) key = {};  // then the program takes all of them
    const auto [at, added] =
        hub("complete " + block + std::string{key} + " in " + std::string{module});
    made_.connect(at, to, origin::configuration);
    if (!added) return;
    if (key.empty()) made_.connect(expanded(block), at, origin::configuration);
    const auto found = makes_of_.find(block);
    if (found == makes_of_.end()) return;
    for (const std::size_t number : found->second) {
      const placed_operation& each = makes_[number];
      if (each.of.module == module && (key.empty() || each.of.key == key))
        made_.connect(each.at, at, origin::configuration);
    }
  }

  /// Whether something of that key is made, in any instance of its module.
  bool is_made(const std::string& block, std::string_view key) const {
    const auto found = makes_of_.find(block);
    return found != makes_of_.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](std::size_t number) { return makes_[number].of.key == key; });
  }

  /// All of a resource's instances are made.
  vertex completed(const std::string& address) {
    const auto [at, added] = hub("complete " + address);
    if (!added) return at;
    const vertex begun = expanded(address);
    const auto found = makes_of_.find(address);
    if (found != makes_of_.end()) {
      for (const std::size_t number : found->second)
        made_.connect(makes_[number].at, at, origin::configuration);
    } else {
      made_.connect(begun, at, origin::configuration);  // else they are behind it themselves
    }
    return at;
  }

  /// Those of one key are, in all instances of its module; all, where none of that key is made.
  vertex completed(const std::string& address, const std::string& key) {
    if (!is_made(address, key)) return completed(address);
    const auto [at, added] = hub("complete " + address + key);
    if (!added) return at;
    for (const std::size_t number : makes_of_.find(address)->second) {
      if (makes_[number].of.key == key) made_.connect(makes_[number].at, at, origin::configuration);
    }
    return at;
  }

  /// All that is made in a module and below it.
  vertex completed_module(const std::string& path) {
    const auto [at, added] = hub("complete " + path);
    if (!added) return at;
    made_.connect(begun_module(path), at, origin::configuration);
    const std::string prefix = path + ".";
    for (auto each = makes_of_.lower_bound(prefix);
         each != makes_of_.end() && each->first.starts_with(prefix); ++each)
      made_.connect(completed(each->first), at, origin::configuration);
    // Outputs may wait for what is above it.
    if (known_.config == nullptr) return at;
    const std::string outputs = prefix + "output.";
    const auto& all = known_.config->blocks();
    for (auto each = all.lower_bound(outputs);
         each != all.end() && each->first.starts_with(outputs); ++each)
      made_.connect(expanded(each->first), at, origin::configuration);
    return at;
  }

  /// It is known which instances a module has.
  vertex begun_module(std::string_view path) {
    const auto [at, added] = hub("begin " + std::string{path});
    if (!added || path.empty()) return at;
    made_.connect(begun_module(caller_of(path)), at, origin::configuration);
    const declared_block* call = declared(std::string{path});
    if (call == nullptr) return at;
    for (const config::reference& each : call->references) {
      if (is_of_module(each.argument)) connect_target(each.target, caller_of(path), at);
    }
    return at;
  }

  void connect_makes() {
    if (known_.config == nullptr) return;
    for (const auto& [block, numbers] : makes_of_) {
      vertex begun = no_vertex;
      std::string_view module;  // that `begun` is of; those of one come one after the other
      for (const std::size_t number : numbers) {
        const placed_operation& each = makes_[number];
        if (begun == no_vertex || each.of.module != module)
          begun = apart(each.of) ? expanded_in(block, each.of.module) : expanded(block);
        module = each.of.module;
        made_.connect(begun, each.at, origin::configuration);
      }
    }
    for (const auto& [block, numbers] : removals_of_) {
      const vertex provider = provider_of(block);
      if (provider == no_vertex) continue;
      for (const std::size_t number : numbers)
        made_.connect(provider, removals_[number].at, origin::configuration);
    }
  }

  void connect_references(const std::string& address) {
    const vertex at = expanded(address);
    const std::string_view path = module_of(address);
    made_.connect(begun_module(path), at, origin::configuration);
    const std::string_view name =
        std::string_view{address}.substr(path.empty() ? 0 : path.size() + 1);
    if (const declared_block* block = declared(address)) {
      for (const config::reference& each : block->references) connect_target(each.target, path, at);
    }
    if (name.starts_with("var.")) connect_argument(name.substr(4), path, at);
    if (!config::is_resource(name)) return;
    const vertex provider = provider_of(address);
    if (provider != no_vertex) made_.connect(provider, at, origin::configuration);
  }

  /// A module's variable is its call's argument, in the caller.
  void connect_argument(std::string_view variable, std::string_view path, vertex to) {
    if (path.empty()) return;
    const declared_block* call = declared(std::string{path});
    if (call == nullptr) return;
    for (const config::reference& each : call->references) {
      if (each.argument == variable) connect_target(each.target, caller_of(path), to);
    }
  }

  /// `target` as a reference in the module `path` has it.
  void connect_target(std::string_view target, std::string_view path, vertex to) {
    const std::size_t bracket = target.find('[');
    const std::string_view name = target.substr(0, bracket);
    const std::string_view key =
        bracket == std::string_view::npos ? std::string_view{} : target.substr(bracket);
    const std::string address = below(path, name);
    vertex from = no_vertex;
    if (name.starts_with("module.")) {
      const std::size_t output = name.find('.', 7);
      from = output == std::string_view::npos
                 ? completed_module(address)
                 : expanded(below(path, std::string{name.substr(0, output)} + ".output." +
                                            std::string{name.substr(output + 1)}));
    } else if (name.starts_with("var.") || name.starts_with("local.")) {
      from = expanded(address);
    } else if (key.empty()) {
      from = completed(address);
    } else {
      from = completed(address, std::string{key});
    }
    made_.connect(from, to, origin::configuration);
  }

  /// The configuration of a resource's provider; `no_vertex`: it refers to nothing.
  vertex provider_of(const std::string& address) {
    if (known_.config == nullptr) return no_vertex;
    std::string_view path = module_of(address);
    const declared_block* block = declared(address);
    std::string name = block == nullptr ? "" : block->provider;
    if (name.empty()) {
      std::string_view type = std::string_view{address}.substr(path.empty() ? 0 : path.size() + 1);
      for (const std::string_view prefix : {"data.", "ephemeral."}) {
        if (type.starts_with(prefix)) type.remove_prefix(prefix.size());
      }
      name = type.substr(0, type.find_first_of("._"));
    }
    for (;;) {
      const std::string configured = below(path, "provider." + name);
      if (declared(configured) != nullptr) return expanded(configured);
      if (path.empty()) return no_vertex;
      const declared_block* call = declared(std::string{path});
      std::string passed;
      if (call != nullptr) {
        for (const config::passed_provider& each : call->providers) {
          if (each.name == name) passed = each.is;
        }
      }
      if (!passed.empty())
        name = passed;
      else if (name.find('.') != std::string::npos)
        return no_vertex;
      path = caller_of(path);
    }
  }

  // ---- what the state says ----------------------------------------------------------------------

  /// Whether both stand in one module, in different instances of it: the program does not connect
  /// those. (It does where one stands in a module below.)
  static bool in_other_instance(const instance& one, const instance& than) {
    return module_of(one.block) == module_of(than.block) && one.module != than.module;
  }

  /// The blocks that it depends on, of the state, else of the configuration.
  const std::vector<std::string>& dependencies_of(const placed_operation& of) {
    if (of.object != nullptr) return of.object->dependencies;
    auto found = configured_.find(of.of.block);
    if (found == configured_.end()) {
      found = configured_.emplace(of.of.block, std::vector<std::string>{}).first;
      if (known_.config != nullptr && !removals_.empty())
        found->second = configured_dependencies(found->first);
    }
    return found->second;
  }

  /// All resources that a block refers to, however indirectly.
  std::vector<std::string> configured_dependencies(const std::string& block) {
    std::vector<std::string> found;
    boost::unordered_flat_set<vertex> seen;
    std::vector<vertex> open{expanded(block)};
    while (!open.empty() && looks_ < limits::order_looks) {
      const vertex at = open.back();
      open.pop_back();
      ++looks_;
      if (!seen.insert(at).second) continue;
      if (const operation* what = made_.at(at)) {
        if (const auto names = ui::without_keys(what->address)) found.push_back(*names);
      }
      for (const vertex before : made_.before(at)) open.push_back(before);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase(found, block);
    return found;
  }

  /// Where those in one instance of a module only count: its address; empty: all count.
  static std::string_view among(std::string_view block, const instance& than) {
    return module_of(block) == module_of(than.block) ? than.module : std::string_view{};
  }

  enum class side : std::uint8_t { before, after };

  /// A hub before or behind operations of a block, those in one instance of a module if it is not
  /// empty, that `counts` chooses.
  template <class Counts>
  vertex group(const std::string& word, side at, const std::vector<placed_operation>& all,
               const by_block& places, const std::string& block, std::string_view module,
               const Counts& counts) {
    const auto [made, added] = hub(word + block + " in " + std::string{module});
    if (!added) return made;
    const auto found = places.find(block);
    if (found == places.end()) return made;
    for (const std::size_t number : found->second) {
      const placed_operation& each = all[number];
      if (!counts(each)) continue;
      if (!module.empty() && each.of.module != module) continue;
      if (at == side::before)
        made_.connect(made, each.at, origin::state);
      else
        made_.connect(each.at, made, origin::state);
    }
    return made;
  }

  /// A removal comes before the removal, and before the making, of what it depends on; where what
  /// is new is created first, behind that making.
  void connect_removal(const placed_operation& of) {
    const auto all = [](const placed_operation&) { return true; };
    for (const std::string& block : dependencies_of(of)) {
      if (!removals_of_.contains(block) && !makes_of_.contains(block)) continue;
      const std::string_view module = among(block, of.of);
      made_.connect(
          of.at,
          group("before removals of ", side::before, removals_, removals_of_, block, module, all),
          origin::state);
      if (of.first) {
        made_.connect(group("behind makes of ", side::after, makes_, makes_of_, block, module, all),
                      of.at, origin::state);
      } else {
        made_.connect(
            of.at, group("before makes of ", side::before, makes_, makes_of_, block, module, all),
            origin::state);
      }
    }
  }

  /// A making comes behind the removal of what it depends on, and of its own old object; where what
  /// is new is created first, before it.
  void connect_make(const placed_operation& of) {
    if (removals_.empty()) return;
    for (const std::string& block : dependencies_of(of)) {
      if (!removals_of_.contains(block)) continue;
      const std::string_view module = among(block, of.of);
      made_.connect(group("behind removals of ", side::after, removals_, removals_of_, block,
                          module, [](const placed_operation& each) { return !each.first; }),
                    of.at, origin::state);
      made_.connect(of.at,
                    group("before late removals of ", side::before, removals_, removals_of_, block,
                          module, [](const placed_operation& each) { return each.first; }),
                    origin::state);
    }
    const auto own = removals_of_.find(of.of.block);
    if (own == removals_of_.end()) return;
    for (const std::size_t number : own->second) {
      const placed_operation& old = removals_[number];
      if (old.of.key != of.of.key || old.of.module != of.of.module) continue;
      if (old.first)
        made_.connect(of.at, old.at, origin::plan);
      else
        made_.connect(old.at, of.at, origin::plan);
    }
  }

  const std::vector<planned_object>& planned_;
  facts known_;
  order made_;
  std::vector<placed_operation> makes_, removals_;
  by_block makes_of_, removals_of_;
  by_block::iterator last_make_ = makes_of_.end(), last_removal_ = removals_of_.end();
  std::set<std::string, std::less<>> blocks_;  // whose addresses stand in no address as they are
  boost::unordered_flat_map<std::string, vertex> hubs_;
  std::vector<std::size_t> unsaid_;  // removals
  std::map<std::string, std::vector<std::string>, std::less<>> configured_;
  std::size_t looks_ = 0;            // of configured_dependencies
  std::deque<std::string> waiting_;  // hubs of blocks whose references are not connected yet
};

}  // namespace

order build(const std::vector<planned_object>& planned, const facts& known) {
  return builder{planned, known}.build();
}

}  // namespace tofud::order
