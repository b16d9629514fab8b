#include "libs/config/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace komadai::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Config {
  std::string listen = "127.0.0.1:50051";
  int threads = 4;
  double share = 0.5;
  bool verbose = false;
  Millis timeout{1500};
  std::vector<std::string> engines{"a", "b"};
  Secret token;
  SecretUrl database{std::string("postgresql://komadai:hunter2@db/komadai")};
};

class SettingsTest : public ::testing::Test {
 protected:
  SettingsTest() {
    settings_.Section("Server");
    settings_.Add("listen", &config_.listen, "address to serve on", ListenAddress());
    settings_.Add("worker-threads", &config_.threads, "threads", Range(1, 64));
    settings_.Add("share", &config_.share, "share");
    settings_.Add("verbose", &config_.verbose, "say more");
    settings_.Add("timeout", &config_.timeout, "how long to wait", Range(Millis(1), Millis(60000)));
    settings_.Add("engines", &config_.engines, "names of engines");
    settings_.Add("token-secret", &config_.token, "signs tokens", MinLength(8));
    settings_.Add("database", &config_.database, "address of the database");
  }
  ParseOutcome Parse(std::vector<std::string> args) {
    return settings_.Parse(args, [this](const char* name) -> const char* {
      const auto found = env_.find(name);
      return found == env_.end() ? nullptr : found->second.c_str();
    });
  }

  Config config_;
  std::map<std::string, std::string> env_;
  Settings settings_{"komadai-test", "A test."};
};

TEST_F(SettingsTest, DefaultsStandWhenNothingIsGiven) {
  EXPECT_TRUE(Parse({}).proceed);
  EXPECT_EQ(config_.threads, 4);
  EXPECT_EQ(config_.timeout, Millis(1500));
}

TEST_F(SettingsTest, EveryTypeIsReadFromFlags) {
  EXPECT_TRUE(Parse({"--listen", "[::1]:0", "--worker-threads=8", "--share", "0.25", "--verbose",
                     "--timeout", "30s", "--engines", "x,y,z", "--token-secret", "longenough",
                     "--database", "redis://h"})
                  .proceed);
  EXPECT_EQ(config_.listen, "[::1]:0");
  EXPECT_EQ(config_.threads, 8);
  EXPECT_EQ(config_.share, 0.25);
  EXPECT_TRUE(config_.verbose);
  EXPECT_EQ(config_.timeout, Millis(30000));
  EXPECT_EQ(config_.engines, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(config_.token.Reveal(), "longenough");
  EXPECT_EQ(config_.database.Reveal(), "redis://h");
}

TEST_F(SettingsTest, AFlagWinsOverTheEnvironment) {
  env_ = {{"KOMADAI_WORKER_THREADS", "6"}, {"KOMADAI_TIMEOUT", "45s"}, {"KOMADAI_VERBOSE", "true"}};
  EXPECT_EQ(Parse({"--worker-threads", "7", "--verbose=false"}).to_stderr, "");
  EXPECT_EQ(config_.threads, 7);
  EXPECT_EQ(config_.timeout, Millis(45000));
  EXPECT_FALSE(config_.verbose);
}

TEST_F(SettingsTest, AnEmptyVariableIsNotSet) {
  env_ = {{"KOMADAI_WORKER_THREADS", ""}};
  EXPECT_TRUE(Parse({}).proceed);
  EXPECT_EQ(config_.threads, 4);
}

TEST_F(SettingsTest, AnUnknownFlagIsRefused) {
  const ParseOutcome outcome = Parse({"--lissten", "x"});
  EXPECT_FALSE(outcome.proceed);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.to_stderr, HasSubstr("lissten"));
  EXPECT_EQ(Parse({"positional"}).exit_code, 2);
}

TEST_F(SettingsTest, AllErrorsAreReportedTogetherWithTheirSource) {
  env_ = {{"KOMADAI_TIMEOUT", "30"}};
  const ParseOutcome outcome =
      Parse({"--listen", "nowhere", "--worker-threads", "65", "--share", "half"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.to_stderr,
              AllOf(HasSubstr("--listen \"nowhere\" must be HOST:PORT"),
                    HasSubstr("--worker-threads \"65\" must be between 1 and 64"),
                    HasSubstr("--share \"half\" must be a number"),
                    HasSubstr("KOMADAI_TIMEOUT \"30\" must be a duration")));
}

TEST_F(SettingsTest, SecretsAreNeverPrinted) {
  env_ = {{"KOMADAI_TOKEN_SECRET", "s3cret!"}};
  const ParseOutcome wrong = Parse({});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.to_stderr, AllOf(HasSubstr("KOMADAI_TOKEN_SECRET"), Not(HasSubstr("s3cret!"))));
  env_ = {{"KOMADAI_TOKEN_SECRET", "long-s3cret!"}};
  const ParseOutcome shown = Parse({"--print-config"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.to_stdout, AllOf(Not(HasSubstr("s3cret!")), Not(HasSubstr("hunter2"))));
  const auto json = nlohmann::json::parse(shown.to_stdout);
  EXPECT_EQ(json["token-secret"], "***");
  EXPECT_EQ(json["database"], "postgresql://komadai:***@db/komadai");
  EXPECT_EQ(json["worker-threads"], 4);
  EXPECT_EQ(json["timeout"], "1500ms");
  EXPECT_EQ(json["verbose"], false);
  EXPECT_THAT(settings_.Help(), Not(HasSubstr("hunter2")));
}

TEST_F(SettingsTest, ASecretCanComeFromAFile) {
  const std::string path = ::testing::TempDir() + "/settings_test_secret";
  std::ofstream(path) << "from-the-file\n";
  EXPECT_TRUE(Parse({"--token-secret-file", path}).proceed);
  EXPECT_EQ(config_.token.Reveal(), "from-the-file");
  EXPECT_THAT(Parse({"--token-secret-file", path + ".no"}).to_stderr, HasSubstr("cannot be read"));
  std::remove(path.c_str());
}

TEST_F(SettingsTest, HelpListsEverySettingWithDefaultAndVariable) {
  const ParseOutcome outcome = Parse({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.to_stdout,
              AllOf(HasSubstr("--timeout DURATION"), HasSubstr("(default: 1500ms)"),
                    HasSubstr("[KOMADAI_TIMEOUT]"), HasSubstr("--token-secret-file FILE"),
                    HasSubstr("(default: a,b)")));
}

TEST_F(SettingsTest, VersionIsShown) {
  EXPECT_THAT(Parse({"--version"}).to_stdout, HasSubstr("komadai-test 0."));
}

TEST_F(SettingsTest, ComponentsOfOneProcessShareASettingOfTheSameName) {
  int other = 1;
  settings_.Add("worker-threads", &other, "threads of another component");
  EXPECT_TRUE(Parse({"--worker-threads", "9"}).proceed);
  EXPECT_EQ(config_.threads, 9);
  EXPECT_EQ(other, 9);
}

TEST_F(SettingsTest, RulesSeeAllValues) {
  settings_.AddRule([this] { return config_.threads > 5 && !config_.verbose ? "too quiet" : ""; });
  EXPECT_TRUE(Parse({}).proceed);
  EXPECT_THAT(Parse({"--worker-threads", "6"}).to_stderr, HasSubstr("too quiet"));
}

TEST(ValuesTest, PasswordsAreMaskedInEveryFormOfAddress) {
  EXPECT_EQ(SecretUrl("redis://:pw@host:6379/0").Masked(), "redis://:***@host:6379/0");
  EXPECT_EQ(SecretUrl("postgresql://u:p@ss@h/db").Masked(), "postgresql://u:***@h/db");
  EXPECT_EQ(SecretUrl("postgresql://h/db?user=u&password=pw&x=1").Masked(),
            "postgresql://h/db?user=u&password=***&x=1");
  EXPECT_EQ(SecretUrl("host=h password='a b' dbname=d").Masked(), "host=h password=*** dbname=d");
  EXPECT_EQ(SecretUrl("host=h dbname=d").Masked(), "host=h dbname=d");
}

TEST(ValuesTest, ListenAddresses) {
  const Check<std::string> check = ListenAddress();
  for (const char* good : {"0.0.0.0:50051", "localhost:0", "[::]:1", "unix:/tmp/x.sock"}) {
    EXPECT_EQ(check(good), "") << good;
  }
  for (const char* bad : {"", "host", ":1", "h:", "h:65536", "h:-1", "::1:5", "unix:", "h:1x"}) {
    EXPECT_NE(check(bad), "") << bad;
  }
}

TEST(ValuesTest, WholeNumbersMustFitTheirType) {
  std::uint16_t port = 1;
  EXPECT_EQ(ReadValue("65535", &port), "");
  EXPECT_NE(ReadValue("65536", &port), "");
  EXPECT_NE(ReadValue("-1", &port), "");
  EXPECT_EQ(port, 65535);
}

TEST_F(SettingsTest, AMisspeltVariableIsNamedWithTheSettingItMayMean) {
  EXPECT_THAT(settings_.Misspelt({"KOMADAI_LISTEM", "KOMADAI_TOKEN_SECRETFILE", "PATH"}),
              ElementsAre("KOMADAI_LISTEM is not a setting and is ignored; KOMADAI_LISTEN is one",
                          "KOMADAI_TOKEN_SECRETFILE is not a setting and is ignored; "
                          "KOMADAI_TOKEN_SECRET_FILE is one"));
}

TEST_F(SettingsTest, SettingsAndWhatMayBelongToAnotherProgramAreNotMisspelt) {
  EXPECT_THAT(settings_.Misspelt({"KOMADAI_LISTEN", "KOMADAI_TOKEN_SECRET_FILE",
                                  "KOMADAI_REDIS_URL", "KOMADAI_", "LISTEM"}),
              IsEmpty());
}

}  // namespace
}  // namespace komadai::config
