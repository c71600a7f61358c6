using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>What facts of a session depend on: while two of these are equal, so are the facts.</summary>
/// <param name="Session">The shim's count of what happened to the session.</param>
/// <param name="Process">The current process, by its id.</param>
/// <param name="IsDeep">Whether all of the managed heap is looked at.</param>
/// <param name="Modules">A hash over the modules and the kind of symbols that the debugger has of each.</param>
internal sealed record SessionState(ulong Session, uint Process, bool IsDeep, int Modules)
{
    private const uint ModuleLimit = 16_384;

    public static unsafe SessionState Of(DebugSession session, TriageRequest request)
    {
        HashCode modules = default;
        if (session.Symbols.GetNumberModules(out uint loaded, out _) >= 0 && loaded <= ModuleLimit)
        {
            DebugModuleParameters[] parameters = new DebugModuleParameters[loaded];
            fixed (DebugModuleParameters* start = parameters)
            {
                _ = session.Symbols.GetModuleParameters(loaded, null, 0, start);
            }

            foreach (DebugModuleParameters module in parameters)
            {
                modules.Add(module.Base);
                modules.Add(module.SymbolType);
            }
        }

        return new SessionState(request.Session, session.Objects.GetCurrentProcessSystemId(out uint pid) >= 0 ? pid : 0, request.IsDeep, modules.ToHashCode());
    }
}
