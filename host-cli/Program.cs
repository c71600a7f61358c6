using HangTriage.Cli;
using HangTriage.Cli.Commands;

Worker.EndWithSupervisor();
using Interrupts interrupts = new();
Host host = Host.OfProcess(interrupts.Token);
args = Obvious.Of(args);
return Supervisor.IsNeeded(args) ? Supervisor.Run(args, host) : CommandLine.Run(args, host);
