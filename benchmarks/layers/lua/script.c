// benchmarks: the script, compiled when the program starts and run by Lua's interpreter.
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>

#include "score.h"

static lua_State *state;

void open_script(void) {
    state = luaL_newstate();
    if (state == NULL || luaL_loadstring(state, SCORE_SCRIPT) != LUA_OK || lua_pcall(state, 0, 1, 0) != LUA_OK) {
        fprintf(stderr, "the script could not be loaded\n");
        exit(1);
    }
}

int score_of(int64_t distance, int64_t weight, int64_t *score) {
    lua_pushvalue(state, 1);
    lua_pushinteger(state, distance);
    lua_pushinteger(state, weight);
    const int done = lua_pcall(state, 2, 1, 0) == LUA_OK;
    *score = done ? lua_tointeger(state, -1) : 0;
    lua_settop(state, 1);
    return done;
}
