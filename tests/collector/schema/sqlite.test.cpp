#include "collector/schema/sqlite.h"

#include <sqlite3.h>

#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::schema {
namespace {

using test::TemporaryFolder;

TEST_CASE("a mistake in a statement throws with SQLite's own words", "[sqlite]") {
  Database database = Database::in_memory();
  try {
    database.execute("SELECT * FROM absent");
    FAIL("no exception");
  } catch (const SqliteError& error) {
    CHECK(std::string(error.what()) == "no such table: absent");
    CHECK(error.code() == SQLITE_ERROR);
  }
  CHECK_THROWS_AS(Statement(database, "SELECT * FROM absent"), SqliteError);
}

TEST_CASE("a failed step tells the extended code and leaves the statement usable", "[sqlite]") {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE t (a INTEGER NOT NULL)");
  Statement insert(database, "INSERT INTO t VALUES (?1)");
  insert.bind_null(1);
  try {
    insert.execute();
    FAIL("no exception");
  } catch (const SqliteError& error) {
    CHECK(error.code() == SQLITE_CONSTRAINT_NOTNULL);
  }
  insert.bind(1, std::int64_t{5});
  insert.execute();
  CHECK(database.query_int64("SELECT a FROM t") == 5);
}

TEST_CASE("texts keep their bytes and an empty text is not NULL", "[sqlite]") {
  Database database = Database::in_memory();
  Statement echo(database, "SELECT ?1, ?2, ?3");
  const std::string with_zero("a\0b", 3);
  echo.bind(1, std::string_view(with_zero));
  echo.bind(2, std::string_view());
  echo.bind_null(3);
  REQUIRE(echo.step());
  CHECK(echo.text(0) == with_zero);
  CHECK_FALSE(echo.is_null(1));
  CHECK(echo.text(1).empty());
  CHECK(echo.is_null(2));
  CHECK(echo.text(2).empty());
  CHECK(echo.int64(2) == 0);
}

TEST_CASE("a query tells no row and NULL from a value", "[sqlite]") {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE t (a)");
  CHECK_FALSE(database.query_int64("SELECT a FROM t").has_value());
  database.execute("INSERT INTO t VALUES (NULL)");
  CHECK_FALSE(database.query_int64("SELECT a FROM t").has_value());
  CHECK_FALSE(database.query_text("SELECT a FROM t").has_value());
  database.execute("UPDATE t SET a = 'x'");
  CHECK(database.query_text("SELECT a FROM t") == "x");
}

TEST_CASE("tables and columns are found by name", "[sqlite]") {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE t (a INTEGER); CREATE VIEW v AS SELECT a AS b FROM t");
  CHECK(database.has_table("t"));
  CHECK_THROWS_AS(database.has_table("v"), SqliteError);
  CHECK_FALSE(database.has_table("u"));
  CHECK(database.has_column("t", "a"));
  CHECK_FALSE(database.has_column("t", "b"));
  CHECK_FALSE(database.has_column("u", "a"));
}

TEST_CASE("only the mode that says so makes a file", "[sqlite]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(Database(folder / "none", Database::Mode::read_only), SqliteError);
  CHECK_THROWS_AS(Database(folder / "none", Database::Mode::read_write), SqliteError);
  CHECK(folder.names().empty());
  Database(folder / "made", Database::Mode::create).execute("CREATE TABLE t (a)");
  CHECK(folder.names() == std::vector<std::string>{"made"});
}

TEST_CASE("a read-only database refuses to be written", "[sqlite]") {
  const TemporaryFolder folder;
  Database(folder / "t", Database::Mode::create).execute("CREATE TABLE t (a)");
  Database database(folder / "t", Database::Mode::read_only);
  CHECK_THROWS_AS(database.execute("INSERT INTO t VALUES (1)"), SqliteError);
}

TEST_CASE("reading as immutable leaves no files behind", "[sqlite]") {
  const TemporaryFolder folder;
  // The characters %, ? and # have a meaning in URIs. SQLite opens the path as a URI. For a
  // database in WAL mode, an ordinary reader creates the files -wal and -shm.
  const auto path = folder / "50% of a? #1.sqlite";
  Database(path, Database::Mode::create)
      .execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  {
    Database database = Database::immutable(path);
    CHECK(database.query_int64("SELECT a FROM t") == 1);
    CHECK(folder.names() == std::vector<std::string>{path.filename().string()});
    CHECK_THROWS_AS(database.execute("INSERT INTO t VALUES (2)"), SqliteError);
  }
  CHECK(folder.names() == std::vector<std::string>{path.filename().string()});
  CHECK_THROWS_AS(Database::immutable(folder / "none"), SqliteError);
}

TEST_CASE("reading a database with its log leaves both as they are, and nothing beside",
          "[sqlite]") {
  const TemporaryFolder folder;
  const auto path = folder / "50% of a? #1.sqlite";
  {
    const TemporaryFolder writing;
    Database writer(writing / "t", Database::Mode::create);
    writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    std::filesystem::copy_file(writing / "t", path);
    std::filesystem::copy_file(writing / "t-wal", path.string() + "-wal");
  }
  const std::string log = test::read_file(path.string() + "-wal");
  {
    Database database = Database::unlocked(path);
    CHECK(database.query_int64("SELECT a FROM t") == 1);
    CHECK_THROWS_AS(database.execute("INSERT INTO t VALUES (2)"), SqliteError);
  }
  CHECK(folder.names().size() == 2);
  CHECK(test::read_file(path.string() + "-wal") == log);
  test::write_file(path.string() + "-wal", std::string(1000, 'x'));
  { CHECK_THROWS_AS(Database::unlocked(path).query_int64("SELECT a FROM t"), SqliteError); }
  CHECK(folder.names().size() == 2);
}

TEST_CASE("what is no database throws when it is read", "[sqlite]") {
  const TemporaryFolder folder;
  test::write_file(folder / "text", std::string(5000, 'x'));
  Database database(folder / "text", Database::Mode::read_only);
  CHECK_THROWS_AS(database.query_int64("PRAGMA application_id"), SqliteError);
}

TEST_CASE("connections and statements can be moved", "[sqlite]") {
  Database first = Database::in_memory();
  first.execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)");
  Database second = std::move(first);
  Statement query(second, "SELECT a FROM t");
  Statement moved = std::move(query);
  REQUIRE(moved.step());
  CHECK(moved.int64(0) == 7);
}

TEST_CASE("of SQL that a user wrote only one statement is taken, and only SELECT", "[sqlite]") {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (NULL), (2.5), ('x'), (x'00')");
  database.allow_only_select();
  Statement rows = Statement::single(database, "SELECT a AS name FROM t ORDER BY rowid ; -- end");
  CHECK(rows.column_names() == std::vector<std::string>{"name"});
  for (const ValueType type :
       {ValueType::integer, ValueType::null, ValueType::real, ValueType::text, ValueType::blob}) {
    REQUIRE(rows.step());
    CHECK(rows.type(0) == type);
  }
  for (const char* sql :
       {"", "  -- nothing", "SELECT 1; SELECT 2", "SELECT 1; no SQL", "DELETE FROM t",
        "INSERT INTO t VALUES (1)", "UPDATE t SET a = 1", "DROP TABLE t", "CREATE TEMP TABLE u (a)",
        "ATTACH 'other' AS o", "PRAGMA query_only = OFF", "VACUUM INTO 'copy'"}) {
    INFO(sql);
    CHECK_THROWS_AS(Statement::single(database, sql), SqliteError);
  }
  CHECK(database.query_int64("SELECT count(*) FROM t") == 5);
}

}  // namespace
}  // namespace lapscope::schema
