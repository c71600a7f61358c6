using System.CommandLine;
using System.CommandLine.Parsing;
using HangTriage.Cli.Live;
using HangTriage.Reports;

namespace HangTriage.Cli.Commands;

/// <summary>Parses the arguments, runs the command, and turns every way that it can end into an exit code.</summary>
internal static class CommandLine
{
    public static int Run(string[] args, Host host)
    {
        try
        {
            int code = Dispatch(args, host);
            host.Out.Flush();
            return code;
        }
        catch (UsageException e)
        {
            return Fail(host, ExitCode.Usage, e.Message);
        }
        catch (SeveralProcessesException e)
        {
            int code = Fail(host, ExitCode.Usage, e.Message);
            ProcessLines.Write(e.Processes, host.Error);
            return code;
        }
        catch (InputException e)
        {
            return Fail(host, ExitCode.Input, e.Message, e);
        }
        catch (OperationCanceledException) when (host.Cancellation.IsCancellationRequested)
        {
            return Fail(host, ExitCode.Interrupted, "cancelled");
        }
        catch (OutputException e)
        {
            return Fail(host, ExitCode.Output, e.Message, e);
        }
        catch (IOException e)
        {
            return Fail(host, ExitCode.Output, $"cannot write: {e.Message}", e);
        }
#pragma warning disable CA1031 // The last resort: an unhandled exception would end the process with a code and a text that mean nothing.
        catch (Exception e)
#pragma warning restore CA1031
        {
            string hint = host.IsDebug ? string.Empty : " (TRIAGE_DEBUG=1 shows where)";
            return Fail(host, ExitCode.Failed, $"internal error: {e.GetType().Name}: {e.Message}{hint}", e);
        }
    }

    private static int Dispatch(string[] args, Host host)
    {
        // No response files: a target may be named "@dump".
        ParserConfiguration parser = new() { ResponseFileTokenReplacer = null };
        ParseResult parsed = new TriageRoot(host).Parse(args, parser);
        bool asksForWords = parsed.Tokens is [{ Type: TokenType.Directive } first, ..] && first.Value.StartsWith(TriageRoot.Suggest, StringComparison.Ordinal);
        if (!asksForWords && parsed.Action is not HelpWithExamples && Problem(parsed) is { } problem)
        {
            throw new UsageException($"{problem} See '{CommandPath(parsed)} --help'.");
        }

        return parsed.Invoke(new InvocationConfiguration
        {
            EnableDefaultExceptionHandler = false,
            ProcessTerminationTimeout = null,
            Output = host.Out,
            Error = host.Error,
        });
    }

    private static string? Problem(ParseResult parsed)
    {
        // The parser takes an unknown option for an argument, and would look for a file of that name. A dash alone is standard output.
        Token? option = parsed.Tokens
            .TakeWhile(token => token.Type != TokenType.DoubleDash)
            .FirstOrDefault(token => token is { Type: TokenType.Argument, Value: ['-', _, ..] });
        return option is not null
            ? $"There is no option {option.Value}{Meant(option.Value, parsed)}"
            : parsed.Tokens.FirstOrDefault(token => token.Type == TokenType.Directive) is { } directive
            ? $"Unrecognized command or argument '{directive.Value}'."
            : parsed.Errors is not [ParseError error, ..] ? null
            : parsed.CommandResult.Command is RootCommand root && parsed.UnmatchedTokens is [string word, ..] ? $"There is no command or file {word}.{DidYouMean.Of(word, root.Subcommands.Select(command => command.Name))}"
            : error.Message;
    }

    private static string Meant(string option, ParseResult parsed)
        => DidYouMean.Of(option.Split('=')[0], parsed.CommandResult.Command.Options.Select(known => known.Name)) is { Length: > 0 } question
            ? $".{question}"
            : "; write -- before a file whose name starts with a dash.";

    private static string CommandPath(ParseResult parsed)
        => parsed.CommandResult.Command is RootCommand ? "triage" : $"triage {parsed.CommandResult.Command.Name}";

    private static int Fail(Host host, int code, string message, Exception? error = null)
    {
        host.Error.WriteLine("triage: " + Printable.Line(message));
        if (host.IsDebug && error is not null)
        {
            host.Error.WriteLine(error.ToString());
        }

        return code;
    }
}
