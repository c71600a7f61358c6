using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>When a client gives a request up by itself: HttpClient cancels it by a timer of its own.</summary>
internal static class RequestLimit
{
    private const string Client = "System.Net.Http.HttpClient";

    /// <summary>Null for what is no such client, and for one without a timeout.</summary>
    public static TimeSpan? OfClient(ClrObject client)
        => client.Type is { Name: Client } type && type.GetFieldByName("_timeout") is { } field
            && type.Heap.Runtime.DataTarget.DataReader.Read(field.GetAddress(client.Address), out long ticks) && ticks > 0 ? TimeSpan.FromTicks(ticks) : null;

    /// <summary>Of the request that an async method of such a client makes.</summary>
    public static TimeSpan? Of(ClrObject task) => StateMachine.IsBox(task) ? OfClient(StateMachine.This(task)) : null;
}
