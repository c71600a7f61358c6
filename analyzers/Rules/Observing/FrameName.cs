using System.Buffers;
using System.Text;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Observing;

/// <summary>
/// Writes a frame without what changes from build to build, from compiler to compiler and from capture to capture. The one place
/// for that; docs/decisions/0048-signature.md lists it:
/// <list type="bullet">
/// <item>.NET: parameters, generic arguments and arities are left out; the parts that a compiler makes of a method (async state machines,
/// iterators, lambdas, closures, local functions; of C#, F# and Visual Basic) become the method that was written.</item>
/// <item>Native: a module is its file name in small letters without version and suffix, a function its name without offset, parameters,
/// the version of its symbol, the size of its arguments and the marks of optimized copies.</item>
/// </list>
/// </summary>
internal static class FrameName
{
    private const string Lambda = "lambda";
    private const string VisualBasicMachine = "VB$StateMachine_";

    private static readonly SearchValues<char> s_afterName = SearchValues.Create("(@[ ");

    // Their functions wait for what the program asked them to wait for.
    private static readonly string[] s_system = ["libc", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64", "ld-musl-x86_64", "linux-vdso", "[vdso]", "libcoreclr", "libclrjit", "libsystem.native", "user32", "msvcrt", "ucrtbase"];

    public static string Of(FrameFacts frame)
        => (frame.Kind, frame.Module is { } module ? OfModule(module) : null, frame.Method) switch
        {
            (FrameKind.Managed, _, { } method) => OfMethod(method),
            (_, { } image, { } function) => $"{image}!{OfFunction(function)}",
            (_, { } image, null) => image,
            (_, null, { } function) => OfFunction(function),
            _ => "?",
        };

    /// <summary>The C library, and what lies between a program and the system.</summary>
    public static bool IsOfSystem(FrameFacts frame) => frame.Module is { } module && Array.IndexOf(s_system, OfModule(module)) >= 0;

    /// <summary>"App.Cache.Load" of "App.Cache`1+&lt;Load&gt;d__3[[System.Int32]].MoveNext()".</summary>
    public static string OfMethod(string method)
    {
        string[] parts = [.. Parts(WithoutArguments(method))];
        int machine = parts[^1] == "MoveNext" ? Array.FindIndex(parts, IsStateMachine) : -1;
        string name = string.Join('.', parts.Take(machine >= 0 ? machine + 1 : parts.Length).SelectMany(OfPart));
        return name.Length == 0 ? method : name;
    }

    /// <summary>"libfoo" of "/usr/lib/libfoo-2.31.so.6" and "foo" of "FOO.dll".</summary>
    public static string OfModule(string file)
    {
        string name = file[(file.AsSpan().LastIndexOfAny('/', '\\') + 1)..].ToLowerInvariant();
        int shared = name.IndexOf(".so", StringComparison.Ordinal);
        name = shared > 0 ? name[..shared] : name is [.., '.', _, _, _] ? name[..^4] : name;
        int version = name.LastIndexOf('-');
        return version > 0 && version + 1 < name.Length && name.AsSpan(version + 1).Trim("0123456789.").IsEmpty ? name[..version] : name;
    }

    /// <summary>"work" of "_work@8", "work.constprop.0", "work@@APP_2.1" and "work(int)".</summary>
    public static string OfFunction(string function)
    {
        int start = function.StartsWith('?') || function.StartsWith('(') ? function.Length : Math.Min(1, function.Length);
        int end = function.AsSpan(start).IndexOfAny(s_afterName) is >= 0 and int found ? start + found : -1;
        string name = end > 0 ? function[..end] : function;
        int copy = name.IndexOf('.', StringComparison.Ordinal);
        name = copy > 0 ? name[..copy] : name;
        bool hasArgumentSize = end > 0 && function[end] == '@' && end + 1 < function.Length && char.IsAsciiDigit(function[end + 1]);
        name = hasArgumentSize && name.StartsWith('_') ? name[1..] : name;
        int hash = name.LastIndexOf("::h", StringComparison.Ordinal);
        return hash > 0 && name.Length - hash == "::h0123456789abcdef".Length ? name[..hash] : name;
    }

    // Behind the name come parameters; in brackets, generic arguments; behind a grave accent, how many there are.
    private static string WithoutArguments(string method)
    {
        StringBuilder name = new(method.Length);
        int depth = 0;
        for (int i = 0; i < method.Length && !(method[i] == '(' && i > 0 && depth == 0); i++)
        {
            depth += method[i] == '[' ? 1 : 0;
            bool isArity = method[i] == '`' && i + 1 < method.Length && char.IsAsciiDigit(method[i + 1]);
            if (isArity)
            {
                while (i + 1 < method.Length && char.IsAsciiDigit(method[i + 1]))
                {
                    i++;
                }
            }
            else if (depth == 0)
            {
                name.Append(method[i]);
            }

            depth -= method[i] == ']' && depth > 0 ? 1 : 0;
        }

        return name.ToString();
    }

    private static IEnumerable<string> Parts(string name)
    {
        int depth = 0;
        int start = 0;
        for (int i = 0; i < name.Length; i++)
        {
            depth += name[i] switch { '<' => 1, '>' when depth > 0 => -1, _ => 0 };
            if (depth == 0 && name[i] is '.' or '+')
            {
                yield return name[start..i];
                start = i + 1;
            }
        }

        yield return name[start..];
    }

    // What a compiler made: <Run>d__1 a state machine, <Run>b__0_1 a lambda, <Run>g__Local|0_1 a local function, <>c a closure.
    private static IEnumerable<string> OfPart(string part)
    {
        if (part.StartsWith(VisualBasicMachine, StringComparison.Ordinal))
        {
            return [part[(part.LastIndexOf('_') + 1)..]];
        }

        if (part.StartsWith("_Lambda$", StringComparison.Ordinal))
        {
            return [Lambda];
        }

        if (!part.StartsWith('<'))
        {
            int end = part.AsSpan().IndexOfAny('<', '@');
            return part.StartsWith("_Closure$", StringComparison.Ordinal) ? [] : [end > 0 ? part[..end] : part];
        }

        int close = Closing(part);
        string inner = part[1..close];
        string kind = part[Math.Min(close + 1, part.Length)..];
        string[] outer = inner.Length == 0 ? [] : [.. OfPart(inner)];
        return inner.Length == 0 && kind.StartsWith('c') ? []
            : kind.StartsWith("b__", StringComparison.Ordinal) ? [.. outer, Lambda]
            : kind.StartsWith("g__", StringComparison.Ordinal) && kind.IndexOf('|', StringComparison.Ordinal) is > 3 and int bar ? [.. outer, kind[3..bar]]
            : outer;
    }

    private static bool IsStateMachine(string part)
        => part.StartsWith(VisualBasicMachine, StringComparison.Ordinal) || (part.StartsWith('<') && part.AsSpan(Math.Min(Closing(part) + 1, part.Length)).StartsWith("d"));

    private static int Closing(string part) => NameBrackets.Closing(part) is >= 0 and int end ? end : part.Length;
}
