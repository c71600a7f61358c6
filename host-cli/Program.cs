using HangTriage.Cli;

using Interrupts interrupts = new();
return CommandLine.Run(args, Host.OfProcess(interrupts.Token));
