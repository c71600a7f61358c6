using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// The methods that a thread or an async method is in, from the innermost out. Those of libraries are left out: what one goes round it
/// gives to the program's methods one after the other.
/// </summary>
internal sealed class CodeLevels(ThreadFrames walked, IlModules modules, CallGraph graph)
{
    private const int MostLevels = 64;

    private readonly Dictionary<ulong, IReadOnlyList<CodeLevel>> _ofThreads = [];
    private readonly Dictionary<(FlowMethod Method, int State), CodeLevel?> _ofFlows = [];

    public IReadOnlyList<CodeLevel> Of(ClrThread thread)
    {
        ref IReadOnlyList<CodeLevel>? known = ref CollectionsMarshal.GetValueRefOrAddDefault(_ofThreads, thread.Address, out _);
        return known ??= Read(thread);
    }

    private List<CodeLevel> Read(ClrThread thread)
    {
        List<CodeLevel> levels = [];
        ClrStackFrame? inner = null;
        foreach (ClrStackFrame frame in walked.Of(thread)
            .Where(frame => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: not null }))
        {
            if (levels.Count < MostLevels && modules.Of(frame.Method) is { } module && !graph.Libraries.Contains(module))
            {
                levels.Add(new CodeLevel(module, frame.Method!.MetadataToken, BringerSearch.PlaceIn(module, frame, inner)));
            }

            inner = frame;
        }

        return levels;
    }

    /// <param name="flows">The async method, and those that await it, each the one before.</param>
    public IReadOnlyList<CodeLevel> Of(IEnumerable<FlowBox> flows) => [.. flows.Select(Of).OfType<CodeLevel>().Take(MostLevels)];

    private CodeLevel? Of(FlowBox flow)
    {
        if (flow.Method is not { MoveNextToken: not 0 } method)
        {
            return null;
        }

        if (!_ofFlows.TryGetValue((method, flow.State), out CodeLevel? level))
        {
            _ofFlows[(method, flow.State)] = level = Read(method, flow.State);
        }

        return level;
    }

    private CodeLevel? Read(FlowMethod method, int state)
        => modules.Of(method.Machine) is { } module && !graph.Libraries.Contains(module)
            ? new CodeLevel(module, method.MoveNextToken, SuspendedFlows.PlaceOf(module, method.MoveNextToken, state))
            : null;
}
