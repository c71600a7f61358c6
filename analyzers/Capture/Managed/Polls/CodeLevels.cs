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

    public IReadOnlyList<CodeLevel> Of(ClrThread thread)
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
        => flow.Method is { MoveNextToken: not 0 and int token } method
            && modules.Of(method.Machine) is { } module && !graph.Libraries.Contains(module)
            ? new CodeLevel(module, token, SuspendedFlows.PlaceOf(module, token, flow.State))
            : null;
}
