using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("HangTriage.Unit.Tests")]
