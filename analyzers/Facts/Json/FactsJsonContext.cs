using System.Text.Json.Serialization;

namespace HangTriage.Facts;

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    WriteIndented = true)]
[JsonSerializable(typeof(FactsHeader))]
[JsonSerializable(typeof(FactsOfCase))]
[JsonSerializable(typeof(ProcessSnapshot))]
[JsonSerializable(typeof(Gap))]
[JsonSerializable(typeof(Trust))]
[JsonSerializable(typeof(bool))]
[JsonSerializable(typeof(uint))]
[JsonSerializable(typeof(string))]
[JsonSerializable(typeof(TimeSpan))]
[JsonSerializable(typeof(DateTimeOffset))]
[JsonSerializable(typeof(Address))]
[JsonSerializable(typeof(ThreadId))]
[JsonSerializable(typeof(ProcessIdentity))]
[JsonSerializable(typeof(CpuTime))]
[JsonSerializable(typeof(TebFacts))]
[JsonSerializable(typeof(LoopFacts))]
[JsonSerializable(typeof(LockFacts))]
[JsonSerializable(typeof(SemaphoreEntries))]
[JsonSerializable(typeof(IReadOnlyList<ThreadId>))]
[JsonSerializable(typeof(ManagedFacts))]
[JsonSerializable(typeof(CollectionsFacts))]
[JsonSerializable(typeof(FlowsFacts))]
[JsonSerializable(typeof(PoolFacts))]
[JsonSerializable(typeof(PoolWorkers))]
[JsonSerializable(typeof(PoolQueues))]
[JsonSerializable(typeof(SystemCallFacts))]
[JsonSerializable(typeof(TaskGraphFacts))]
[JsonSerializable(typeof(TaskState))]
[JsonSerializable(typeof(IReadOnlyList<UiThreadFacts>))]
[JsonSerializable(typeof(IReadOnlyList<OutsideWaitFacts>))]
[JsonSerializable(typeof(SocketFacts))]
[JsonSerializable(typeof(ChildFacts))]
[JsonSerializable(typeof(UnreadOutput))]
[JsonSerializable(typeof(IReadOnlyList<HandleFacts>))]
[JsonSerializable(typeof(IReadOnlyList<RuntimeFacts>))]
[JsonSerializable(typeof(IReadOnlyList<ModuleFacts>))]
[JsonSerializable(typeof(IReadOnlyList<ThreadFacts>))]
[JsonSerializable(typeof(IReadOnlyList<LockFacts>))]
[JsonSerializable(typeof(IReadOnlyList<WaitFacts>))]
internal sealed partial class FactsJsonContext : JsonSerializerContext;
