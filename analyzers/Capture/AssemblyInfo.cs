using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("HangTriage.Capture.Tests")]
