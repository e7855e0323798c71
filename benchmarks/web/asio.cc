// benchmarks: a web server for one file on Asio's coroutines, one thread, the answer ready in memory
#include <array>
#include <asio.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <cstdlib>
#include <string>
#include <string_view>

#include "page.h"

namespace {

using asio::ip::tcp;
// No exceptions for what is usual, as a connection that ends; no type erasure of the executor.
using Context = asio::io_context::executor_type;
constexpr auto result = asio::experimental::as_tuple(asio::use_awaitable_t<Context>{});
using Socket = asio::basic_stream_socket<tcp, Context>;
using Acceptor = asio::basic_socket_acceptor<tcp, Context>;
template <typename T>
using Awaitable = asio::awaitable<T, Context>;

constexpr size_t READ_AT_ONCE = 1024;

Awaitable<void> serve(Socket socket, const Page &page) {
    std::array<char, READ_AT_ONCE> buffer;
    std::string rest;
    for (;;) {
        const auto [error, received] = co_await socket.async_read_some(asio::buffer(buffer), result);
        if (error)
            co_return;
        std::string_view bytes(buffer.data(), received);
        if (!rest.empty())
            bytes = rest.append(bytes);
        do {
            const Request request = page.next(bytes);
            if (request.size < 0)
                co_return;
            if (request.size == 0)
                break;
            bytes.remove_prefix(static_cast<size_t>(request.size));
            const auto [failed, sent] =
                co_await asio::async_write(socket, asio::buffer(request.answer.data(), request.answer.size()), result);
            if (failed || request.close)
                co_return;
        } while (!bytes.empty());
        if (!bytes.empty() || !rest.empty())
            rest = std::string(bytes);
    }
}

Awaitable<void> accept_all(asio::io_context &context, unsigned short port, const Page &page) {
    Acceptor acceptor(context.get_executor(), tcp::endpoint(asio::ip::address_v4::loopback(), port));
    acceptor.listen(4096);
    for (;;) {
        auto [error, socket] = co_await acceptor.async_accept(result);
        if (!error)
            asio::co_spawn(context.get_executor(), serve(std::move(socket), page), asio::detached);
    }
}

}  // namespace

int main(int count, char **words) {
    if (count != 3)
        return 2;
    asio::io_context context(1);  // a hint that there is one thread
    const Page page(words[2]);
    asio::co_spawn(context.get_executor(), accept_all(context, static_cast<unsigned short>(std::atoi(words[1])), page),
                   asio::detached);
    context.run();
}
