using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("HangTriage.Capture.Tests")]
[assembly: InternalsVisibleTo("HangTriage.Benchmarks")]
