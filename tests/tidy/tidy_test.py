"""Every rule of tidy.py is shown to fire, and to leave good code alone."""
import unittest

import includes
import metrics
import references
import shape
import tidy
import unity


def messages(path, content, present=()):
    return [message for _, message in tidy.check_file(path, content, lambda name: name in present)]


class IncludeTable(unittest.TestCase):
    def assert_refused(self, path, included):
        self.assertIsNotNone(includes.refused(path, included), f"{path} includes {included}")

    def assert_allowed(self, path, included):
        self.assertIsNone(includes.refused(path, included), f"{path} includes {included}")

    def test_pure_libraries_use_base_only(self):
        for lib in ("rules", "timecontrol", "elo"):
            self.assert_allowed(f"libs/{lib}/a.h", "libs/base/result.h")
            self.assert_refused(f"libs/{lib}/a.h", "libs/notation/shogi/usi.h")
            self.assert_refused(f"libs/{lib}/a.cc", "grpcpp/grpcpp.h")
            self.assert_refused(f"libs/{lib}/a.cc", "komadai/rules/v1/rules.pb.h")

    def test_a_game_is_known_to_itself_and_the_registry(self):
        self.assert_allowed("libs/rules/registry.cc", "libs/rules/shogi/shogi_game.h")
        self.assert_allowed("libs/rules/shogi/play.h", "libs/rules/shogi/board.h")
        self.assert_allowed("libs/rules/shogi/play.h", "libs/rules/game.h")
        self.assert_refused("libs/rules/handicap.cc", "libs/rules/shogi/kinds.h")
        self.assert_refused("libs/rules/xiangqi/board.h", "libs/rules/shogi/kinds.h")
        self.assert_allowed("libs/notation/shogi/sfen.cc", "libs/rules/shogi/kinds.h")

    def test_domain_knows_neither_wire_nor_database(self):
        path = "services/game/domain/game.cc"
        self.assert_allowed(path, "libs/rules/position.h")
        self.assert_allowed(path, "services/game/domain/game.h")
        for included in ("grpcpp/grpcpp.h", "komadai/game/v1/game.pb.h", "hiredis/hiredis.h",
                         "pqxx/pqxx", "sqlite3.h", "libs/redis/client.h", "libs/rpc/server/server.h",
                         "services/game/bind.h"):
            self.assert_refused(path, included)

    def test_the_checker_is_pure_and_its_remote_judge_is_not(self):
        contract = "komadai/rules/v1/rules.grpc.pb.h"
        self.assert_allowed("libs/remotejudge/remote_judge.h", contract)
        self.assert_allowed("libs/remotejudge/remote_judge.h", "libs/conformance/judge.h")
        self.assert_refused("libs/conformance/judge.h", contract)
        self.assert_refused("libs/conformance/judge.h", "libs/remotejudge/remote_judge.h")

    def test_services_never_include_each_other(self):
        self.assert_refused("services/game/game_service.cc", "services/clock/clock_service.h")
        self.assert_refused("services/game/game_service_test.cc", "services/clock/clock_service.h")
        self.assert_allowed("services/game/game_service.cc", "services/game/convert.h")
        self.assert_allowed("services/game/game_service.cc", "komadai/clock/v1/clock.grpc.pb.h")

    def test_all_in_one_knows_only_how_to_bind_a_service(self):
        self.assert_allowed("services/all_in_one/serve.cc", "services/game/bind.h")
        self.assert_refused("services/all_in_one/serve.cc", "services/game/game_service.h")

    def test_drivers_stay_in_their_library(self):
        self.assert_allowed("libs/redis/client.cc", "hiredis/async.h")
        self.assert_refused("libs/livestore/store.cc", "hiredis/async.h")
        self.assert_refused("services/kifu/store/kifu_store.cc", "pqxx/pqxx")

    def test_fakes_are_for_tests(self):
        self.assert_refused("services/game/bind.cc", "libs/testing/fake_time.h")
        self.assert_allowed("services/game/game_service_test.cc", "libs/testing/fake_time.h")

    def test_libraries_do_not_know_services_or_the_client(self):
        self.assert_refused("libs/rpc/server/server.cc", "services/game/bind.h")
        self.assert_refused("services/game/bind.cc", "cli/client.h")

    def test_quoted_includes_exist_from_the_root(self):
        header = "libs/base/result.h"
        self.assertTrue(messages("libs/base/a.cc", '#include "result.h"\n', {header}))
        self.assertFalse(messages("libs/base/a.cc", f'#include "{header}"\n', {header}))


class TextRules(unittest.TestCase):
    def assert_found(self, path, content, fragment):
        self.assertTrue([m for m in messages(path, content) if fragment in m], content)

    def test_lines_and_files_have_limits(self):
        self.assert_found("libs/a/a.cc", "x" * 101 + "\n", "101 columns")
        self.assertFalse(messages("libs/a/a.cc", "駒" * 100 + "\n"))
        self.assert_found("libs/a/a.cc", "\n" * 501, "501 lines")
        self.assertFalse(messages("libs/a/a.cc", "\n" * 500))

    def test_functions_have_a_limit(self):
        body = "void F() {\n" + "  G();\n" * 70 + "}\n"
        self.assert_found("libs/a/a.cc", body, "lines; a function")
        self.assertFalse(messages("libs/a/a.cc", body.replace("  G();\n", "", 1)))
        self.assertFalse(messages("libs/a/a.cc", "namespace a {\n" + "int x;\n" * 80 + "}\n"))

    def test_unfinished_work_is_not_noted_in_code(self):
        self.assert_found("libs/a/a.cc", "// TO" "DO: later\n", "unfinished")

    def test_what_games_share_names_none(self):
        line = "if (variant == Variant::kShogi) return 3;\n"
        self.assert_found("libs/rules/impasse.cc", line, "does not name one")
        for path in ("libs/rules/registry.cc", "libs/rules/shogi/play.cc", "libs/notation/a.cc",
                     "libs/rules/impasse_test.cc", "libs/rules/perft_bench.cc"):
            self.assertFalse(messages(path, line), path)
        self.assertFalse(messages("libs/rules/setup.cc", "Variant variant = Variant::kShogi;\n"))

    def test_warnings_are_not_silenced(self):
        self.assert_found("libs/a/a.cc", "int x;  // NOLINT\n", "silenced")

    def test_locks_are_annotated(self):
        for line in ("std::mutex mutex_;\n", "const std::lock_guard lock(mutex_);\n",
                     "std::unique_lock lock(mutex_);\n", "std::shared_mutex mutex_;\n",
                     "std::shared_lock lock(mutex_);\n", "std::condition_variable changed_;\n"):
            self.assert_found("libs/a/a.cc", line, "libs/base/mutex.h")
        self.assertFalse(messages("libs/base/mutex.h", "#pragma once\nstd::mutex mutex_;\n"))
        self.assertFalse(messages("libs/a/a.cc", "const MutexLock lock(mutex_);  // no std::mutex\n"))

    def test_tests_do_not_sleep(self):
        self.assert_found("libs/a/a_test.cc", "this_thread::sleep_for(1s);\n", "does not sleep")
        self.assert_found("tests/simulation/a.cc", "usleep(10);\n", "does not sleep")
        self.assertFalse(messages("tests/simulation/a.cc", "while (!Gone()) sleep_for(1ms);\n"))
        self.assertFalse(messages("tests/e2e/game.cc", "sleep_for(20ms);\n"))

    def test_awaits_that_are_compiled_wrongly_are_refused(self):
        self.assert_found("libs/a/a.cc", "x = b ? co_await F() : co_await G();\n", "conditional")
        self.assert_found("libs/a/a.cc", "co_await F(std::move(a), {}, b);\n", "braced")
        self.assertFalse(messages("libs/a/a.cc", "co_await F(std::move(a), b);\n"))

    def test_only_adapters_read_the_wall_clock(self):
        line = "auto now = std::chrono::system_clock::now();\n"
        self.assert_found("services/game/domain/game.cc", line, "TimeSource")
        self.assertFalse(messages("libs/base/time.h", "#pragma once\n" + line))
        self.assertFalse(messages("libs/a/a.cc", "// never system_clock::now() here\n"))

    def test_headers_have_a_guard(self):
        self.assert_found("libs/a/a.h", "int x;\n", "#pragma once")

    def test_every_rpc_is_documented(self):
        self.assert_found("proto/a.proto", "service S {\n  rpc Get(A) returns (B);\n}\n", "rpc Get")
        self.assertFalse(messages("proto/a.proto", "  // Gets.\n  rpc Get(A) returns (B);\n"))

    def test_no_machine_of_ours_is_named(self):
        self.assert_found("dev", "cd /wor" "k/main\n", "particular machine")
        self.assert_found("deploy/a", "RUN curl registry.npm" "js.org\n", "particular machine")
        self.assertFalse(messages("dev", "cat $STACK/wor" "k/x\n"))


class Metrics(unittest.TestCase):
    def test_dashboards_use_metrics_that_exist(self):
        known = metrics.defined('metrics.Histogram("komadai_wait_seconds", "Waiting.")')
        self.assertFalse(list(metrics.unknown("rate(komadai_wait_seconds_bucket[5m])", known)))
        self.assertFalse(list(metrics.unknown("komadai:recorded:rule > 1", known)))
        self.assertTrue(list(metrics.unknown("rate(komadai_waits_total[5m])", known)))


class Shape(unittest.TestCase):
    WHOLE = [f"services/clock/{file}" for file in (
        "CMakeLists.txt", "README.md", "main.cc", "bind.h", "bind.cc", "config.h", "errors.h",
        "metrics.h", "metrics.cc", "clock_service.h", "clock_service.cc", "clock_reads.cc",
        "clock_service_test.cc", "convert.h", "convert.cc", "convert_events.cc", "convert_test.cc",
        "domain/live_clock.h", "app/clocks_test.cc", "store/a.cc", "ports/a.h", "watch/a.h",
        "process/testdata/a.sh", "testing/replicas.h")]

    def test_a_service_of_this_shape_is_good(self):
        self.assertFalse(list(shape.misplaced(self.WHOLE + ["services/all_in_one/serve.cc"])))

    def test_what_has_no_place_is_found(self):
        for odd in ("sessions.cc", "sessions_test.cc", "clock_component.h", "clock_metrics.h",
                    "rating_reads.cc", "domain/errors.h", "app/clock_metrics.cc", "app/config.h",
                    "app/replicas_test.h", "records/a.cc"):
            path = "services/clock/" + odd
            self.assertEqual([p for p, _ in shape.misplaced(self.WHOLE + [path])], [path])

    def test_what_is_missing_is_found(self):
        for required in ("README.md", "bind.h", "clock_service.cc", "main.cc"):
            path = "services/clock/" + required
            files = [file for file in self.WHOLE if file != path]
            self.assertEqual([p for p, _ in shape.misplaced(files)], [path])

    def test_aliases_of_contracts_are_the_same_everywhere(self):
        for package, name in (("clock", "pb"), ("common", "common_pb"), ("game", "game_pb"),
                              ("internal", "stored_pb")):
            line = f"namespace {name} = ::komadai::{package}::v1;\n"
            self.assertFalse(messages("services/clock/convert.cc", line))
            for other in ("v1", "common", "stored"):
                line = f"namespace {other} = ::komadai::{package}::v1;\n"
                self.assertTrue(messages("services/clock/convert.cc", line), line)


class Readmes(unittest.TestCase):
    GOOD = ("# clock: time\n\n## RPCs (`a.b`)\n\n| RPC | who | what |\n|---|---|---|\n"
            "| GetClock | anybody | reads |\n\n## State\n\n## Expiries\n\n## Limits\n\n"
            "## When something fails\n\n## Reasons\n\n| code | reason |\n|---|---|\n"
            "| NOT_FOUND | NO_CLOCK |\n\n## Metrics\n\nNone of its own.\n\n## Settings\n\n"
            "`--clock-cache`\n")

    def wrong(self, text, wanted=("GetClock", "NO_CLOCK", "--clock-cache")):
        return [message for _, message in shape.readme("clock", text, set(wanted))]

    def test_a_complete_one_is_good(self):
        self.assertFalse(self.wrong(self.GOOD))

    def test_what_it_lacks_is_found(self):
        for section in shape.SECTIONS:
            self.assertTrue(self.wrong(self.GOOD.replace(f"## {section}", "## Other")), section)
        for part in ("# clock: ", "| RPC | who | what |", "| code | reason |", "None"):
            self.assertTrue(self.wrong(self.GOOD.replace(part, "x", 1)), part)
        moved = self.GOOD.replace("## State", "## S").replace("## Limits", "## State").replace(
            "## S\n", "## Limits\n")
        self.assertTrue(self.wrong(moved))
        for word in ("GetClock", "NO_CLOCK", "--clock-cache"):
            self.assertTrue(self.wrong(self.GOOD.replace(word, "other")), word)

    def test_words_come_from_contract_reasons_metrics_and_settings(self):
        self.assertEqual(shape.words("proto/komadai/clock/v1/clock.proto", "  rpc Get(A) b;\n"),
                         ("clock", {"Get"}))
        self.assertEqual(shape.words("services/clock/errors.h",
                                     'constexpr Reason kNoClock{Code::kNotFound, "NO_CLOCK"};'),
                         ("clock", {"NO_CLOCK"}))
        self.assertEqual(shape.words("services/clock/metrics.cc", 'f("komadai_clock_timers")'),
                         ("clock", {"komadai_clock_timers"}))
        self.assertEqual(shape.words("services/clock/config.h", 's.Add("clock-cache", &c)'),
                         ("clock", {"--clock-cache"}))


class References(unittest.TestCase):
    TESTS = references.tests_in("TEST(Nifu, IsRefused) {\nTEST_P(Every,\n       Game) {\n")
    WORDS = references.words_in("bool PawnDropMates() { Game::Play(); }")
    FILES = {"libs/rules/a.cc": "bool PawnDropMates() {", "docs/rules.md": ""}

    def found(self, text, page="libs/rules/README.md"):
        return [message for _, message in
                references.unknown(page, text, (self.TESTS, self.WORDS), list(self.FILES),
                                   self.FILES.get)]

    def test_what_exists_is_found(self):
        self.assertEqual(self.TESTS, {("Nifu", "IsRefused"), ("Every", "Game")})
        for good in ("`Nifu.IsRefused` and `Every.*`", "`PawnDropMates` in `a.cc`",
                     "`libs/rules/a.cc`", "`a.*`", "`libs/rules`", "`PawnDropMates` in\n`a.cc`",
                     "`UCHIFUZUME`", "`7g7f`", "`libs/rules/NAME/`", "`Game::Play`"):
            self.assertFalse(self.found(good), good)
        self.assertFalse(self.found("`libs/rules/a.cc`", "docs/rules.md"))

    def test_what_was_renamed_is_missed(self):
        for bad in ("`Nifu.IsAllowed`", "`Nofu.*`", "`PawnDropChecks` in `a.cc`", "`b.cc`",
                    "`libs/law`", "`PawnDrop` in\n`a.cc`", "`PawnDropChecks`", "`Game::Stop`"):
            self.assertTrue(self.found(bad), bad)


class UnityTest(unittest.TestCase):
    A = "namespace {\nconstexpr int kMost = 3;\nstd::string NameOf(int a) {\n}\n}  // namespace\nint Other() {\n"
    B = "namespace {\nstruct Row {\n  int kMost;\n};\nusing Key = int;\nint Other() {\n}  // namespace\n"

    def test_names_of_unnamed_namespaces_are_found(self):
        self.assertEqual(unity.names(self.A), {"kMost", "NameOf"})
        self.assertEqual(unity.names(self.B), {"Row", "Key", "Other"})

    def test_equal_names_in_one_library_are_refused(self):
        self.assertEqual(list(unity.clashes({"l/a.cc": self.A, "l/b.cc": self.B})), [])
        self.assertEqual([path for path, _ in unity.clashes({"l/a.cc": self.A, "l/b.cc": self.A})],
                         ["l/b.cc", "l/b.cc"])

    def test_a_library_says_that_its_sources_stay_alone(self):
        text = "komadai_library(one a.cc b.cc\n  x/c.cc DEPS d)\nkomadai_library(two e.cc DEPS d NO_UNITY)\n"
        self.assertEqual(list(unity.sources("libs/l/CMakeLists.txt", text)),
                         [("one", ["libs/l/a.cc", "libs/l/b.cc", "libs/l/x/c.cc"])])


if __name__ == "__main__":
    unittest.main()
