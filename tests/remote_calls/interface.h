// tests: a remote program of three procedures, each with a number in and a text out, and stubs for it as rpcgen -M writes them.
#pragma once

#include <rpc/rpc.h>

enum { PROGRAM = 0x20000777, VERSION = 3, FIRST = 1, SECOND = 2, THIRD = 3, UNDECLARED = 4, MOST_TEXT = 3000 };

// In stubs.c, so that they are another file's than those who call them.
enum clnt_stat first_3(int *argument, char **text, CLIENT *client);
enum clnt_stat second_3(int *argument, char **text, CLIENT *client);
enum clnt_stat third_3(int *argument, char **text, CLIENT *client);
enum clnt_stat undeclared_3(int *argument, char **text, CLIENT *client);
// As rpcgen writes them without -M: the result is the stub's own.
int *count_3(int *argument, CLIENT *client);

bool_t xdr_text(XDR *stream, char **text);
