#include "protocol/recover/recovery.hpp"

#include "protocol/redact/masks.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>

namespace tofud::recover {
namespace {

using feed::resource_row;
using feed::step;
using feed::step_action;
using feed::step_status;

enum class fate : std::uint8_t { stands, unsure, gone };

/// One object that was at an address at some time of the run.
struct object {
  std::string_view id_key, id;  // empty: not printed
  const step* by = nullptr;
  fate now = fate::stands;
  bool created = false;  // by this run
};
using objects = boost::container::small_vector<object, 2>;

// What a start prints may be the name in the tags (format/object_id.go): that names no object.
std::string_view printed_id(const step& of) {
  const bool names = of.id_key == "id" || of.id_key == "name";
  return names && !redact::masks::is_mask(of.id_value) ? of.id_value : std::string_view{};
}

/// Of several objects at an address (deposed ones) the id tells which.
object& object_of(objects& all, const step& by) {
  const std::string_view id = printed_id(by);
  const auto same = std::find_if(all.begin(), all.end(), [&](const object& each) {
    return !each.created && (id.empty() || each.id == id);
  });
  object& found = same == all.end() ? all.emplace_back() : *same;
  if (!id.empty()) {
    found.id_key = by.id_key;
    found.id = id;
  }
  found.by = &by;
  return found;
}

// A provisioner starts after the provider has created the object (protocol: nesting).
fate fate_of_create(const step& by) {
  const bool made = by.status == step_status::done || !by.provisioners.empty();
  return made ? fate::stands : fate::unsure;
}

objects objects_of(const resource_row& row) {
  objects all;
  for (const step& each : row.steps) {
    switch (each.action) {
      case step_action::create:
        all.push_back({each.id_key, printed_id(each), &each, fate_of_create(each), true});
        break;
      case step_action::remove:
        object_of(all, each).now = each.status == step_status::done ? fate::gone : fate::unsure;
        break;
      case step_action::refresh:
      case step_action::update:
        object_of(all, each);
        break;
      case step_action::read:
      case step_action::open:
      case step_action::renew:
      case step_action::close:
        break;
    }
  }
  // What a refresh did not find had gone before the run.
  if (row.drift == "delete") {
    const auto first = std::remove_if(all.begin(), all.end(), [](const object& each) {
      return each.by->action == step_action::refresh;
    });
    all.erase(first, all.end());
  }
  return all;
}

bool plans(const resource_row& row, bool (*what)(const feed::planned&)) {
  return std::any_of(row.plan.begin(), row.plan.end(), what);
}

// From memory, not from a recording: what is said of it is a candidate.
bool has_no_import(std::string_view type) { return type == "null_resource"; }

/// The objects of one row next to those that the state has at its address.
class address {
 public:
  address(const resource_row& row, const held_state& state)
      : row_{row}, state_{state}, held_{state.at(row)}, all_{objects_of(row)} {
    const auto made =
        std::find_if(all_.rbegin(), all_.rend(), [](const object& each) { return each.created; });
    if (made != all_.rend()) made_ = &*made;
  }

  void judge(std::vector<finding>& into) const {
    for (const object& each : all_) {
      if (&each == made_) {
        judge_made(into);
      } else if (!each.created) {
        judge_older(each, into);
      }
    }
  }

 private:
  const held_object* current() const {
    for (const held_object& each : held_) {
      if (each.deposed.empty()) return &each;
    }
    return nullptr;
  }

  static bool is_same(const object& one, const held_object& held) {
    return !one.id.empty() && one.id == (one.id_key == "name" ? held.name : held.id);
  }

  /// Here, or at the address from which it was moved. Elsewhere an id says nothing: objects of some
  /// types share one (time_sleep: the second of their creation).
  bool is_held(const object& one) const {
    if (one.id.empty()) return false;
    return std::any_of(held_.begin(), held_.end(),
                       [&](const held_object& each) { return is_same(one, each); }) ||
           (is_moved() && state_.has(row_.type(), one.id));
  }

  bool is_moved() const {
    return plans(row_, [](const feed::planned& each) { return !each.says->previous_addr.empty(); });
  }

  bool older_is(const held_object& held) const {
    return std::any_of(all_.begin(), all_.end(), [&](const object& each) {
      return !each.created && (each.id.empty() || is_same(each, held));
    });
  }

  void judge_made(std::vector<finding>& into) const {
    const held_object* here = current();
    if (is_held(*made_)) return;
    if (made_->id.empty()) {
      if (here != nullptr && !older_is(*here)) return;  // the state knows the id
      add(into, *made_, made_->now == fate::stands ? verdict::without_id : verdict::create_open);
      return;
    }
    if (here != nullptr) {
      add(into, *made_, has_no_import(row_.type()) ? verdict::without_import : verdict::replaced);
      return;
    }
    add_lacking(into, *made_);
  }

  void judge_older(const object& one, std::vector<finding>& into) const {
    const bool held = one.id.empty() ? !held_.empty() : is_held(one);
    switch (one.now) {
      case fate::gone:
        // Where the new object takes its place, all is said with that one.
        if (!held || gives_way(one)) return;
        return add(into, one, has_heir(one) ? verdict::same_id : verdict::deleted_in_state);
      case fate::unsure:
        add(into, one, verdict::delete_open);
        return;
      case fate::stands:
        break;
    }
    if (made_ != nullptr && made_->now == fate::stands) {
      if (forgets()) return;
      if (!held || gives_way(one)) add(into, one, verdict::left_behind);
      return;
    }
    if (held) return;
    if (current() != nullptr) return add(into, one, verdict::another_in_state);
    if (standing() > 1) return add(into, one, verdict::which_is_current);
    add_lacking(into, one);
  }

  /// The state has it at this address, which an import is to give to the new object.
  bool gives_way(const object& one) const {
    const held_object* here = current();
    return here != nullptr && is_same(one, *here) && made_ != nullptr && !made_->id.empty() &&
           !is_held(*made_);
  }

  /// Of some types all objects have the same id (random_password: "none").
  bool has_heir(const object& one) const {
    return made_ != nullptr && !one.id.empty() && made_->id == one.id;
  }

  /// The object before the replacement is left alone by intent: what OpenTofu calls "noop" and
  /// creates for (recording removed-forget).
  bool forgets() const {
    return plans(row_, [](const feed::planned& each) { return each.action == "noop"; });
  }

  std::size_t standing() const {
    return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), [](const object& each) {
      return !each.created && each.now == fate::stands;
    }));
  }

  void add_lacking(std::vector<finding>& into, const object& one) const {
    if (plans(row_, [](const feed::planned& each) { return each.action == "remove"; })) return;
    if (plans(row_, [](const feed::planned& each) {
          return each.says->imports || each.action == "import";
        })) {
      return add(into, one, verdict::import_planned);
    }
    if (plans(row_, [](const feed::planned& each) {
          return each.action == "delete" && each.says->reason.starts_with("delete_because_");
        })) {
      return add(into, one, verdict::not_configured);
    }
    if (one.id.empty()) return add(into, one, verdict::without_id);
    add(into, one, has_no_import(row_.type()) ? verdict::without_import : verdict::importable);
  }

  void add(std::vector<finding>& into, const object& one, verdict what) const {
    into.push_back({what, &row_, one.by, one.id_key, one.id, is_held(one)});
  }

  const resource_row& row_;
  const held_state& state_;
  std::span<const held_object> held_;
  objects all_;
  const object* made_ = nullptr;
};

bool is_change(const step& of) {
  return of.action == step_action::create || of.action == step_action::update ||
         of.action == step_action::remove;
}

bool never_begun(const resource_row& row) {
  const bool owes = plans(row, [](const feed::planned& each) {
    return each.action == "create" || each.action == "update" || each.action == "replace" ||
           each.action == "delete";
  });
  return owes && std::none_of(row.steps.begin(), row.steps.end(), is_change);
}

}  // namespace

bool gets_block(verdict what) { return what == verdict::importable || what == verdict::replaced; }

recovery recover(std::span<const feed::resource_row* const> rows, const held_state& state) {
  recovery found;
  for (const resource_row* row : rows) {
    if (row->mode() != "managed") continue;
    if (never_begun(*row)) ++found.never_begun;
    address{*row, state}.judge(found.findings);
  }
  return found;
}

}  // namespace tofud::recover
