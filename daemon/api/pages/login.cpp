#include "daemon/api/pages/login.hpp"

#include "daemon/api/pages/html.hpp"
#include "protocol/text/percent.hpp"

namespace tofud::pages {

std::string login_page(const login& shown) {
  std::string out = page_start({"tofud: log in", 0, shown.root, false});
  out.append(
      "<p class=\"faint\"><strong>tofud</strong></p>\n<h1>Log in</h1>\n<form method=\"post\" "
      "action=\"");
  out.append(escaped(shown.root)).append("v1/session\">\n");
  out.append("<input type=\"hidden\" name=\"next\" value=\"").append(escaped(shown.next));
  const bool wrong = !shown.problem.empty();
  out.append("\">\n<label>Token <input type=\"password\" name=\"token\" required autofocus ");
  if (wrong) out.append("aria-invalid=\"true\" aria-describedby=\"problem\" ");
  out.append("autocomplete=\"current-password\" size=\"40\"></label>\n");
  if (wrong) {
    out.append("<p class=\"failed\" role=\"alert\" id=\"problem\">").append(escaped(shown.problem));
    out.append("</p>\n");
  }
  out.append("<button>Log in</button>\n</form>\n");
  for (std::size_t i = 0; i < shown.providers.size(); ++i) {
    std::string query = "?provider=" + std::to_string(i) + "&next=";
    text::append_percent_encoded(query, shown.next);
    out.append("<p><a class=\"button\" href=\"")
        .append(escaped(shown.root + "v1/session/oidc" + query));
    out.append("\">Log in with ").append(escaped(shown.providers[i])).append("</a></p>\n");
  }
  out.append(
      "<p>This tofud shows its runs to people it knows. Ask them "
      "for a token. On the machine of this tofud, <code>tofud open</code> makes a link that logs "
      "in; "
      "<code>tofud token create</code> makes a token.</p>\n<script src=\"");
  out.append(escaped(shown.root)).append("login.js\" data-root=\"").append(escaped(shown.root));
  return out.append("\"></script>\n").append(page_end());
}

std::string logged_in_page(const std::string& root, const std::string& next) {
  page_head head{"tofud: logged in", 0, root, false};
  head.then = root + next.substr(next.starts_with('/') ? 1 : 0);
  std::string out = page_start(head);
  out.append("<h1>Logged in</h1>\n<p><a href=\"")
      .append(escaped(head.then))
      .append("\">Go on</a></p>\n");
  return out.append(page_end());
}

// A cookie that is SameSite=Strict does not come with a visit from another site's link; a visit
// from here brings it.
std::string_view login_script() {
  return R"js('use strict';
(async () => {
  const session = document.currentScript.dataset.root + 'v1/session';
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  const here = location.pathname + location.search;
  if (ticket) {
    history.replaceState(null, '', here);
    const said = document.createElement('p');
    said.className = 'failed';
    said.setAttribute('role', 'alert');
    try {
      const answer = await fetch(session, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ticket }),
      });
      if (answer.ok) return location.replace(here);
      said.textContent = (await answer.json()).message;
    } catch {
      said.textContent = 'tofud did not answer; `tofud open` makes another link';
    }
    document.querySelector('h1').after(said);
  } else {
    document.querySelector('[name=next]').value += location.hash;
    if ((await fetch(session)).ok) location.reload();
  }
})();
)js";
}

std::string_view login_policy() {
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
         "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
}

}  // namespace tofud::pages
