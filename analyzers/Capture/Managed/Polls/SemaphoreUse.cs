using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Tells a semaphore that is used for a lock from one that tells a consumer of work, by who releases it.</summary>
internal sealed class SemaphoreUse(IlModules modules)
{
    private const string Release = "System.Threading.SemaphoreSlim.Release";
    private const int MostMethods = 50_000;

    private readonly Dictionary<(ulong Module, int Machine), bool?> _known = [];

    /// <summary>
    /// The method that waits also releases a semaphore, or what it returns does: a lambda of it, or the Dispose of an object that it makes,
    /// or of a type within its own, itself or by a method that it calls. Null where its instructions are not in the input.
    /// </summary>
    public bool? IsGivenBack(FlowBox waiter)
    {
        if (waiter.Method is not { MoveNextToken: not 0 and int token } method || modules.Of(method.Machine) is not { } module)
        {
            return null;
        }

        (ulong, int) key = (module.Address, method.Machine.MetadataToken);
        if (!_known.TryGetValue(key, out bool? known))
        {
            known = module.Body(token).Count == 0 ? null : Releases(module, token) || IsReleasedByOthers(module, token, module.Names.Type(method.Machine.MetadataToken));
            _known.Add(key, known);
        }

        return known;
    }

    // The machine of App.AsyncLock.LockAsync is App.AsyncLock+<LockAsync>d__3.
    private static bool IsReleasedByOthers(IlModule module, int token, string? machine)
    {
        if (machine?.IndexOf("+<", StringComparison.Ordinal) is not (> 0 and int type) || machine.IndexOf('>', type) is not (> 0 and int end))
        {
            return false;
        }

        string owner = machine[..type];
        string lambda = machine[(type + 1)..(end + 1)];
        HashSet<string> made = [.. Called(module, token).Where(called => called.Name == ".ctor").Select(called => called.Type)];
        return module.Methods.Take(MostMethods)
            .Any(method => module.Names.Member(method) is { } member && IsHandedOut(member, owner, lambda, made)
                && (Releases(module, method) || Called(module, method).Any(called => called.IsOwn && Releases(module, called.Definition))));
    }

    private static bool IsHandedOut(IlMember member, string owner, string lambda, HashSet<string> made)
        => (member.Name.StartsWith(lambda, StringComparison.Ordinal) && IsWithin(member.Type, owner))
            || (member.Name is "Dispose" or "DisposeAsync" && (made.Contains(member.Type) || (IsWithin(member.Type, owner) && member.Type != owner)));

    private static bool IsWithin(string type, string owner)
        => type.StartsWith(owner, StringComparison.Ordinal) && (type.Length == owner.Length || type[owner.Length] == '+');

    private static bool Releases(IlModule module, int method) => Called(module, method).Any(called => called.FullName == Release);

    private static IEnumerable<IlMember> Called(IlModule module, int method)
        => module.Body(method).Where(instruction => instruction.IsCall).Select(instruction => module.Names.Member(instruction.Operand)).OfType<IlMember>();
}
