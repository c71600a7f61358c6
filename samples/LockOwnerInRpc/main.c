// A thread calls a server while it owns a critical section that others want, and the server never answers.
#include "../Shared/sections.h"
#include <rpc.h>
#include <rpcndr.h>

#define ENDPOINT "hangtriage-sample"
#define CACHE_INTERFACE {0x6f1d7d2e, 0x3c5b, 0x4e0a, {0x9d, 0x41, 0x2a, 0x77, 0x10, 0x6c, 0x55, 0xe3}}, {1, 0}
#define NDR_SYNTAX {0x8a885d04, 0x1ceb, 0x11c9, {0x9f, 0xe8, 0x08, 0x00, 0x2b, 0x10, 0x48, 0x60}}, {2, 0}

static HANDLE asked, never;
static CRITICAL_SECTION cache;

static void __RPC_STUB keep_waiting(PRPC_MESSAGE message) {
    (void)message;
    SetEvent(asked);
    WaitForSingleObject(never, INFINITE);
}

static RPC_DISPATCH_FUNCTION functions[] = {keep_waiting, NULL};
static RPC_DISPATCH_TABLE table = {1, functions, 0};
static RPC_SERVER_INTERFACE server = {sizeof server, {CACHE_INTERFACE}, {NDR_SYNTAX}, &table, 0, NULL, NULL, NULL, 0};
static RPC_CLIENT_INTERFACE client = {sizeof client, {CACHE_INTERFACE}, {NDR_SYNTAX}, NULL, 0, NULL, 0, NULL, 0};

static void serve(void) {
    RPC_STATUS status = RpcServerUseProtseqEpA((RPC_CSTR) "ncalrpc", RPC_C_PROTSEQ_MAX_REQS_DEFAULT, (RPC_CSTR)ENDPOINT, NULL);
    require(status == RPC_S_OK, "RpcServerUseProtseqEp");
    require(RpcServerRegisterIf(&server, NULL, NULL) == RPC_S_OK, "RpcServerRegisterIf");
    require(RpcServerListen(1, RPC_C_LISTEN_MAX_CALLS_DEFAULT, TRUE) == RPC_S_OK, "RpcServerListen");
}

static __attribute__((noinline)) long ask_server(void) {
    RPC_CSTR text = NULL;
    RPC_BINDING_HANDLE binding = NULL;
    require(RpcStringBindingComposeA(NULL, (RPC_CSTR) "ncalrpc", NULL, (RPC_CSTR)ENDPOINT, NULL, &text) == RPC_S_OK, "RpcStringBindingCompose");
    require(RpcBindingFromStringBindingA(text, &binding) == RPC_S_OK, "RpcBindingFromStringBinding");
    RPC_MESSAGE message = {.Handle = binding, .BufferLength = 4, .ProcNum = 0, .RpcInterfaceInformation = &client};
    require(I_RpcGetBuffer(&message) == RPC_S_OK, "I_RpcGetBuffer");
    message.DataRepresentation = NDR_LOCAL_DATA_REPRESENTATION;
    message.BufferLength = 4;
    return I_RpcSendReceive(&message);
}

static DWORD WINAPI refresh(void *context) {
    (void)context;
    EnterCriticalSection(&cache);
    long status = ask_server();
    LeaveCriticalSection(&cache);
    return status;
}

static DWORD WINAPI look_up(void *context) {
    (void)context;
    EnterCriticalSection(&cache);
    LeaveCriticalSection(&cache);
    return 0;
}

int main(void) {
    asked = CreateEventW(NULL, TRUE, FALSE, NULL);
    never = CreateEventW(NULL, TRUE, FALSE, NULL);
    InitializeCriticalSection(&cache);
    serve();
    start_bystander();
    start_thread(refresh, NULL, L"refresh");
    WaitForSingleObject(asked, INFINITE);
    HANDLE readers[] = {start_thread(look_up, NULL, L"reader 1"), start_thread(look_up, NULL, L"reader 2")};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) until_in_wait(readers[i]);
    say_ready();
    return WaitForSingleObject(readers[0], INFINITE);
}
