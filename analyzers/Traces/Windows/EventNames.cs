namespace HangTriage.Traces.Windows;

/// <summary>What trace tools call the events: task and opcode. Numbers from the public classes and manifests of Windows and .NET.</summary>
internal static class EventNames
{
    public const string Clr = "Microsoft-Windows-DotNETRuntime/";
    public const string ClrRundown = "Microsoft-Windows-DotNETRuntimeRundown/";

    /// <summary>Events of the kernel by hook (group &lt;&lt; 8 | opcode).</summary>
    public static IReadOnlyDictionary<ushort, string> Kernel { get; } = new Dictionary<ushort, string>
    {
        [0x000] = "EventTrace", [0x005] = "EventTrace/Extension", [0x008] = "EventTrace/RundownComplete", [0x020] = "EventTrace/EndExtension",
        [0x10A] = "DiskIO/Read", [0x10B] = "DiskIO/Write", [0x10C] = "DiskIO/ReadInit", [0x10D] = "DiskIO/WriteInit", [0x10E] = "DiskIO/FlushBuffers", [0x10F] = "DiskIO/FlushInit",
        [0x220] = "Memory/HardFault",
        [0x301] = "Process/Start", [0x302] = "Process/Stop", [0x303] = "Process/DCStart", [0x304] = "Process/DCStop", [0x327] = "Process/Defunct",
        [0x320] = "Process/PerfCtr", [0x321] = "Process/PerfCtrRundown",
        [0x400] = "FileIO/Name", [0x420] = "FileIO/FileCreate", [0x423] = "FileIO/FileDelete", [0x424] = "FileIO/FileRundown",
        [0x440] = "FileIO/Create", [0x441] = "FileIO/Cleanup", [0x442] = "FileIO/Close", [0x443] = "FileIO/Read", [0x444] = "FileIO/Write",
        [0x44C] = "FileIO/OperationEnd",
        [0x501] = "Thread/Start", [0x502] = "Thread/Stop", [0x503] = "Thread/DCStart", [0x504] = "Thread/DCStop",
        [0x524] = "Thread/CSwitch", [0x525] = "Thread/CompCS", [0x532] = "Dispatcher/ReadyThread", [0x548] = "Thread/SetName",
        [0x61A] = "TcpIp/SendIPV6", [0x61B] = "TcpIp/RecvIPV6", [0x80A] = "UdpIp/Send", [0x80B] = "UdpIp/Recv", [0x81A] = "UdpIp/SendIPV6", [0x81B] = "UdpIp/RecvIPV6",
        [0x90A] = "Registry/Create", [0x90B] = "Registry/Open", [0x90C] = "Registry/Delete", [0x90D] = "Registry/Query", [0x90E] = "Registry/SetValue",
        [0x90F] = "Registry/DeleteValue", [0x910] = "Registry/QueryValue", [0x911] = "Registry/EnumerateKey", [0x912] = "Registry/EnumerateValueKey",
        [0x913] = "Registry/QueryMultipleValue", [0x914] = "Registry/SetInformation", [0x915] = "Registry/Flush", [0x916] = "Registry/KCBCreate",
        [0x917] = "Registry/KCBDelete", [0x918] = "Registry/KCBRundownBegin", [0x919] = "Registry/KCBRundownEnd", [0x91A] = "Registry/Virtualize", [0x91B] = "Registry/Close",
        [0xB0A] = "SystemConfig/CPU", [0xB0B] = "SystemConfig/PhyDisk", [0xB0C] = "SystemConfig/LogDisk", [0xB0D] = "SystemConfig/NIC", [0xB0F] = "SystemConfig/Services",
        [0xB10] = "SystemConfig/Power", [0xB11] = "SystemConfig/Network", [0xB16] = "SystemConfig/PnP", [0xB17] = "SystemConfig/IDEChannel", [0xB19] = "SystemConfig/Platform",
        [0xF2E] = "PerfInfo/Sample", [0xF49] = "PerfInfo/CollectionStart", [0xF4A] = "PerfInfo/CollectionEnd",
        [0x1402] = "Image/Unload", [0x1403] = "Image/DCStart", [0x1404] = "Image/DCStop", [0x140A] = "Image/Load", [0x30A] = "Image/Load", [0x1421] = "Image/KernelBase",
        [0x1820] = "StackWalk/Stack", [0x1823] = "StackWalk/KeyDelete", [0x1824] = "StackWalk/KeyRundown", [0x1825] = "StackWalk/StackKeyKernel", [0x1826] = "StackWalk/StackKeyUser",
    };

    /// <summary>Classes of kernel events, which some recorders write instead of hooks, with the group of their hooks.</summary>
    public static IReadOnlyDictionary<Guid, byte> Groups { get; } = new Dictionary<Guid, byte>
    {
        [new Guid("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c")] = 0x03,
        [new Guid("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c")] = 0x05,
        [new Guid("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c")] = 0x01,
        [new Guid("90cbdc39-4a3e-11d1-84f4-0000f80464e3")] = 0x04,
        [new Guid("ae53722e-c863-11d2-8659-00c04fa321a1")] = 0x09,
        [new Guid("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc")] = 0x0F,
        [new Guid("2cb15d1d-5fc1-11d2-abe1-00a0c911f518")] = 0x14,
        [new Guid("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3")] = 0x18,
    };

    public static Guid KernelTraceControl { get; } = new("b3e675d7-2554-4f18-830b-2762732560de");

    public static Guid KernelProcess { get; } = new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");

    public static Guid Runtime { get; } = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");

    public static Guid RuntimeRundown { get; } = new("a669021c-c450-4609-a035-5af59af4df18");

    /// <summary>Events that carry a provider's GUID and a number, of the providers that are read.</summary>
    public static IReadOnlyDictionary<(Guid Provider, ushort Id), string> Others { get; } = OthersOf();

    private static Dictionary<(Guid, ushort), string> OthersOf()
    {
        Dictionary<(Guid, ushort), string> names = [];
        Add(KernelTraceControl, "KernelTraceControl/ImageID", [(0, ""), (32, "/None"), (36, "/DbgID_RSDS"), (37, "/DbgID_ILRSDS"), (64, "/FileVersion")]);
        Add(KernelProcess, "Microsoft-Windows-Kernel-Process/", [(1, "ProcessStart/Start"), (2, "ProcessStop/Stop"), (11, "ProcessFreeze/Start"), (12, "ProcessFreeze/Stop")]);
        Add(Runtime, Clr,
        [
            (1, "GC/Start"), (4, "GC/HeapStats"), (5, "GC/CreateSegment"), (10, "GC/AllocationTick"), (12, "GC/TerminateConcurrentThread"), (13, "GC/FinalizersStop"),
            (14, "GC/FinalizersStart"), (15, "Type/BulkType"), (21, "GC/BulkSurvivingObjectRanges"), (22, "GC/BulkMovedObjectRanges"), (23, "GC/GenerationRange"),
            (25, "GC/MarkStackRoots"), (26, "GC/MarkFinalizeQueueRoots"), (27, "GC/MarkHandles"), (28, "GC/MarkCards"), (29, "GC/FinalizeObject"),
            (33, "GC/PinObjectAtGCTime"), (82, "ClrStack/Walk"), (200, "GarbageCollection/IncreaseMemoryPressure"),
            (2, "GC/Stop"), (3, "GC/RestartEEStop"), (7, "GC/RestartEEStart"), (8, "GC/SuspendEEStop"), (9, "GC/SuspendEEStart"), (35, "GC/Triggered"),
            (54, "ThreadPoolWorkerThreadAdjustment/Sample"), (55, "ThreadPoolWorkerThreadAdjustment/Adjustment"), (56, "ThreadPoolWorkerThreadAdjustment/Stats"),
            (50, "ThreadPoolWorkerThread/Start"), (51, "ThreadPoolWorkerThread/Stop"), (80, "Exception/Start"), (81, "Contention/Start"), (91, "Contention/Stop"),
            (85, "AppDomainResourceManagement/ThreadCreated"), (143, "Method/LoadVerbose"), (144, "Method/UnloadVerbose"), (145, "Method/JittingStarted"),
            (152, "Loader/ModuleLoad"), (153, "Loader/ModuleUnload"), (154, "Loader/AssemblyLoad"), (155, "Loader/AssemblyUnload"),
            (156, "Loader/AppDomainLoad"), (157, "Loader/AppDomainUnload"), (151, "Loader/DomainModuleLoad"), (187, "Runtime/Start"),
            (301, "WaitHandleWait/Start"), (302, "WaitHandleWait/Stop"),
        ]);
        Add(RuntimeRundown, ClrRundown,
        [
            (143, "Method/DCStartVerbose"), (144, "Method/DCStopVerbose"), (146, "Method/DCStopComplete"), (148, "Method/DCStopInit"), (150, "Method/ILToNativeMapDCStop"), (152, "Loader/DomainModuleDCStop"),
            (154, "Loader/ModuleDCStop"), (156, "Loader/AssemblyDCStop"), (158, "Loader/AppDomainDCStop"), (187, "Runtime/Start"),
        ]);
        return names;

        void Add(Guid provider, string prefix, IEnumerable<(ushort Id, string Name)> events)
        {
            foreach ((ushort id, string name) in events)
            {
                names.Add((provider, id), prefix + name);
            }
        }
    }
}
