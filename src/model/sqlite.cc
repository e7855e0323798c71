// model: a thin, exception-free face of SQLite on bytes in memory.
#include "model/sqlite.h"

#include <algorithm>
#include <cstring>

#include "model/limits.h"

namespace thalweg::model::sqlite {

namespace {

// Virtual machine steps before a statement is given up. Reading the largest profile that the limits allow takes about
// 20 steps a row; a page tree made to be walked for ever ends here at the latest.
constexpr int steps_between_looks = 1 << 20;

int give_up(void *looks_left) { return --*static_cast<int *>(looks_left) < 0 ? 1 : 0; }

}  // namespace

Database::Database() {
    sqlite3 *handle = nullptr;
    int code = sqlite3_open(":memory:", &handle);
    handle_.reset(handle);
    check(code);
}

Database::Database(std::string_view bytes) : Database() {
    if (failed())
        return;
    // Every row costs at least a few bytes of the file, every text its length.
    left_to_read_ = bytes.size();
    sqlite3_db_config(handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    // No text is longer than the file: what may be how long, validate() says.
    sqlite3_limit(handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(std::min<size_t>(bytes.size(), INT32_MAX)));
    auto *copy = static_cast<unsigned char *>(sqlite3_malloc64(bytes.size() + 1));
    if (copy == nullptr) {
        problem("out of memory");
        return;
    }
    std::memcpy(copy, bytes.data(), bytes.size());
    auto size = static_cast<sqlite3_int64>(bytes.size());
    check(sqlite3_deserialize(handle(), "main", copy, size, size,
                              SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY));
    run("PRAGMA cell_size_check = ON");
}

void Database::check(int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
        return;
    problem(handle_ ? sqlite3_errmsg(handle()) : "out of memory");
}

void Database::run(const std::string &statement) {
    if (!failed())
        check(sqlite3_exec(handle(), statement.c_str(), nullptr, nullptr, nullptr));
}

std::string Database::bytes() {
    if (failed())
        return {};
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(handle(), "main", &size, 0);
    if (bytes == nullptr)
        problem("out of memory");
    std::string copy(reinterpret_cast<const char *>(bytes), bytes == nullptr ? 0 : static_cast<size_t>(size));
    sqlite3_free(bytes);
    return copy;
}

bool Database::spend(size_t bytes) {
    if (bytes <= left_to_read_) {
        left_to_read_ -= bytes;
        return true;
    }
    problem("it yields more rows than its size can hold");
    return false;
}

Statement::Statement(Database &database, const std::string &text) : database_(database) {
    if (!database.failed())
        database.check(sqlite3_prepare_v2(database.handle(), text.c_str(), -1, &handle_, nullptr));
}

Statement insert_into(Database &database, const char *table) {
    const int columns = Statement(database, fmt::format("SELECT * FROM {}", table)).columns();
    std::string text = fmt::format("INSERT INTO {} VALUES (?", table);
    for (int i = 1; i < columns; ++i)
        text += ", ?";
    return Statement(database, text + ")");
}

bool Statement::next() {
    if (database_.failed())
        return false;
    int looks_left = 1;
    sqlite3_progress_handler(database_.handle(), steps_between_looks, give_up, &looks_left);
    int code = sqlite3_step(handle_);
    sqlite3_progress_handler(database_.handle(), 0, nullptr, nullptr);
    database_.check(code);
    return code == SQLITE_ROW && database_.spend(1);
}

std::string Statement::text(int column) {
    if (database_.failed())
        return {};
    if (sqlite3_column_type(handle_, column) != SQLITE_TEXT) {
        database_.problem(
            fmt::format("{} of {} is not a text", sqlite3_column_name(handle_, column), sqlite3_sql(handle_)));
        return {};
    }
    const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(handle_, column));
    auto size = static_cast<size_t>(sqlite3_column_bytes(handle_, column));
    return text != nullptr && database_.spend(size) ? std::string(text, size) : std::string();
}

std::string Statement::blob(int column) {
    if (database_.failed())
        return {};
    if (sqlite3_column_type(handle_, column) != SQLITE_BLOB) {
        database_.problem(
            fmt::format("{} of {} is not a blob", sqlite3_column_name(handle_, column), sqlite3_sql(handle_)));
        return {};
    }
    const auto *bytes = static_cast<const char *>(sqlite3_column_blob(handle_, column));
    auto size = static_cast<size_t>(sqlite3_column_bytes(handle_, column));
    return bytes != nullptr && database_.spend(size) ? std::string(bytes, size) : std::string();
}

uint64_t Statement::bits(int column) {
    if (database_.failed())
        return 0;
    if (sqlite3_column_type(handle_, column) != SQLITE_INTEGER)
        database_.problem(
            fmt::format("{} of {} is not a whole number", sqlite3_column_name(handle_, column), sqlite3_sql(handle_)));
    return static_cast<uint64_t>(sqlite3_column_int64(handle_, column));
}

void Statement::bind(int at, const std::string &text) {
    database_.check(sqlite3_bind_text64(handle_, at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(int at, Blob blob) {
    database_.check(sqlite3_bind_blob64(handle_, at, blob.bytes.data(), blob.bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind(int at, uint64_t value) {
    database_.check(sqlite3_bind_int64(handle_, at, static_cast<sqlite3_int64>(value)));
}

void Statement::out_of_range(int column, int64_t value) {
    database_.problem(fmt::format("{} is {}, which is out of range", sqlite3_column_name(handle_, column), value));
}

}  // namespace thalweg::model::sqlite
