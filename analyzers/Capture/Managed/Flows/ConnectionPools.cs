using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// The pool of connections that a flow waits for, and the timeout of the client that it asks: those methods on the way to what it
/// awaits are the client's own. Npgsql 10.0: PoolingDataSource.cs, NpgsqlConnector.cs; dotnet/runtime: HttpConnectionPool.cs, HttpClient.cs.
/// </summary>
internal sealed class ConnectionPools(FlowBoxes boxes, ClrHeap heap)
{
    private const string Npgsql = "Npgsql.PoolingDataSource";
    private const int MostConnections = 4_096;

    // ConnectorState.Ready: open, and in no command.
    private const int Ready = 2;

    public FlowPool? PoolOf(FlowBox flow) => Clients(flow).Select(Read).FirstOrDefault(pool => pool is not null);

    /// <summary>When the client gives up; null where it does not, or is none of those known.</summary>
    public TimeSpan? LimitOf(FlowBox flow) => Clients(flow).Select(RequestLimit.OfClient).FirstOrDefault(limit => limit is not null);

    /// <summary>
    /// The connections that the pool which the flow waits for has lent, each with what its user has of it; empty where the pool does not
    /// know them all.
    /// </summary>
    public IReadOnlyList<(ClrObject Connection, ClrObject User)> LentTo(FlowBox flow)
        => Clients(flow).FirstOrDefault(client => client.Type?.Name == Npgsql) is { IsNull: false } source
            && Lent(source) is var lent && lent.Length == Read(source)?.Used ? lent : [];

    private static (ClrObject, ClrObject)[] Lent(ClrObject source)
        =>
        [
            .. Connectors(source)
                .Select(connector => (connector, User: connector.Reference("<Connection>k__BackingField")))
                .Where(pair => !pair.User.IsNull),
        ];

    private IEnumerable<ClrObject> Clients(FlowBox flow)
        => boxes.Down(flow).Select(box => StateMachine.This(heap.GetObject(box.Address))).Where(own => !own.IsNull);

    private static FlowPool? Read(ClrObject client) => client.Type?.Name switch
    {
        "System.Net.Http.HttpConnectionPool" when client.Number("_associatedHttp11ConnectionCount") is { } used && client.Number("_maxHttp11Connections") is { } most
            => new FlowPool(client.Type.Name, used, most, null),
        Npgsql when client.Number("_numConnectors") is { } made && client.Number("_idleCount") is { } idle
            && client.Number("<MaxConnections>k__BackingField") is { } most
            => new FlowPool(client.Type.Name, made - idle, most, Working(client)),
        _ => null,
    };

    private static int? Working(ClrObject source)
        => source.Reference("Connectors").IsNull ? null
            : Connectors(source).Count(connector => connector.Number("_state") is { } state && state != Ready);

    private static IEnumerable<ClrObject> Connectors(ClrObject source) => source.Reference("Connectors").Elements(MostConnections);
}
