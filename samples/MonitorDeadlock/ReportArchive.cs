namespace MonitorDeadlock;

internal sealed class ReportArchive;
