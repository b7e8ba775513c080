#include "tests/bench/fan/messages.hpp"

#include <cstdio>

vector<Tpl> make_templates(int nres, int pad, bool log) {
  vector<Tpl> v;
  const char* rt[] = {"aws_instance", "aws_subnet", "null_resource", "aws_security_group",
                      "random_pet"};
  const char* pv[] = {"aws", "aws", "null", "aws", "random"};
  const char* rn[] = {"web", "main", "none", "edge", "animal"};
  for (int i = 0; i < nres; i++)
    for (int k = 0; k < 6; k++) {
      int t = i % 5;
      char a[128], res[512];
      snprintf(a, sizeof a, "%s.%s[%d]", rt[t], rn[t], i);
      snprintf(res, sizeof res,
               "{\"addr\":\"%s\",\"module\":\"\",\"resource\":\"%s\",\"implied_provider\":\"%s\","
               "\"resource_type\":\"%s\",\"resource_"
               "name\":\"%s\",\"resource_key\":%d}",
               a, a, pv[t], rt[t], rn[t], i);
      string M = string("fb~") + string(10, '0') + "~" + string(19, '0') + "~";
      string msg, hook, type;
      string A_ = a, R = res;
      string P(pad, 'x');
      if (log) {
        auto line = [&](const char* log_type, const string& log_hook) {
          return "{\"@level\":\"info\",\"@message\":\"" + A_ +
                 ": (local-exec): "
                 "...\",\"@module\":\"tofu.ui\",\"@timestamp\":\"2026-11-20T13:32:41.825308Z\","
                 "\"hook\":{\"resource\":" +
                 R + "," + log_hook + "},\"type\":\"" + log_type + "\"}";
        };
        if (i == 0 && k == 0)
          g_preamble =
              "{\"@level\":\"info\",\"@message\":\"OpenTofu "
              "1.12.6\",\"@module\":\"tofu.ui\",\"@timestamp\":\"2026-11-20T13:32:41.000000Z\","
              "\"tofu\":\"1.12.6\",\"type\":\"version\",\"ui\":\"1.2\"}\n";
        if (k == 0)
          g_preamble += line("apply_start", "\"action\":\"create\"") + "\n" +
                        line("provision_start", "\"provisioner\":\"local-exec\"") + "\n";
        string s = line("provision_progress",
                        "\"provisioner\":\"local-exec\",\"output\":\"" + M + P +
                            "step ok, still working on the thing that takes its time\"");
        v.push_back({s, s.find("fb~")});
        continue;
      }
      switch (k) {
        case 0:
          type = "refresh_start";
          msg = A_ + ": Refreshing state... " + M;
          hook = "\"id_key\":\"id\",\"id_value\":\"i-0" + std::to_string(1000 + i) + "\"";
          break;
        case 1:
          type = "apply_start";
          msg = A_ + ": Creating... " + M;
          hook = "\"action\":\"create\"";
          break;
        case 2:
        case 3:
          type = "apply_progress";
          msg = A_ + ": Still creating... [" + std::to_string(10 * (k - 1)) + "s elapsed] " + M;
          hook = "\"action\":\"create\",\"elapsed_seconds\":" + std::to_string(10 * (k - 1));
          break;
        case 4:
          type = "provision_progress";
          msg = A_ + ": (local-exec): " + M;
          hook = "\"provisioner\":\"local-exec\",\"output\":\"step ok\"";
          break;
        default:
          type = "apply_complete";
          msg = A_ + ": Creation complete " + M;
          hook = "\"action\":\"create\",\"id_key\":\"id\",\"id_value\":\"i-0" +
                 std::to_string(1000 + i) + "\",\"elapsed_seconds\":30";
      }
      string s = "{\"@level\":\"info\",\"@message\":\"" + msg + P +
                 "\",\"@module\":\"tofu.ui\",\"@timestamp\":\"2026-11-20T13:32:41.825308Z\","
                 "\"hook\":{\"resource\":" +
                 R + "," + hook + "},\"type\":\"" + type + "\"}";
      v.push_back({s, s.find("fb~")});
    }
  return v;
}
