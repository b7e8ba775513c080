#include "protocol/diagnostics/attribute.hpp"

#include <gtest/gtest.h>

namespace tofud::diagnostics {
namespace {

feed::attribute_card port() {
  feed::attribute_card card;
  card.type = "acme_db";
  card.path = "network.port";
  card.value_type = "number";
  card.required = true;
  card.description = "Port to listen\non.\n\nMore of it.";
  card.default_value = "5432";
  card.validators = {"int64validator.Between(1, 65535)", "custom.Port()"};
  card.replacement = "certain";
  return card;
}

std::string drawn(const feed::attribute_card& card, std::size_t width = 0) {
  return draw(card, text::ink{text::ink::colours::no}, width, {});
}

TEST(Attribute, ShowsWhatIsKnown) {
  EXPECT_EQ(drawn(port()),
            "  network.port (number, required): Port to listen on.\n"
            "    default 5432 · validators int64validator.Between(1, 65535), custom.Port() · a "
            "change requires replacement\n");
}

TEST(Attribute, IsWrapped) {
  EXPECT_EQ(drawn(port(), 40),
            "  network.port (number, required):\n"
            "    Port to listen on.\n"
            "    default 5432 · validators\n"
            "    int64validator.Between(1, 65535),\n"
            "    custom.Port() · a change requires\n"
            "    replacement\n");
}

TEST(Attribute, BlockAndPlainAttributeTakeOneLine) {
  feed::attribute_card card;
  card.path = "network";
  EXPECT_EQ(drawn(card), "  network (block)\n");
  card.value_type = "string";
  card.sensitive = true;
  EXPECT_EQ(drawn(card), "  network (string, sensitive)\n");
}

TEST(Attribute, ShowsWhyItIsDeprecated) {
  feed::attribute_card card;
  card.path = "engine";
  card.value_type = "string";
  card.deprecated = "Use kind.";
  card.replacement = "possible";
  EXPECT_EQ(drawn(card),
            "  engine (string)\n    a change may require replacement\n    deprecated: Use kind.\n");
  card.deprecated = "deprecated";
  EXPECT_TRUE(drawn(card).ends_with("\n    deprecated\n"));
}

TEST(Attribute, IsFilteredAndColoursChangeNoText) {
  feed::attribute_card card = port();
  card.description = "\x1b[31mred";
  const text_filter filter = [](std::string_view text) {
    std::string clean{text};
    std::erase(clean, '\x1b');
    return clean;
  };
  const std::string plain = draw(card, text::ink{text::ink::colours::no}, 0, filter);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_EQ(draw(card, text::ink{text::ink::colours::yes}, 0, filter),
            "  \x1b[1mnetwork.port\x1b[0m" + plain.substr(2 + card.path.size()));
}

}  // namespace
}  // namespace tofud::diagnostics
