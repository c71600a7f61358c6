using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace HangTriage.DbgEng.Engine;

/// <summary>The engine as a whole: output, interruption, what is being debugged. Methods without parameters here hold the place of ones that are not called.</summary>
[GeneratedComInterface]
[Guid("d4366723-44df-4bed-8c7e-4c05424f4588")]
internal unsafe partial interface IDebugControl2
{
    /// <summary>S_OK where the user has asked to stop (Ctrl+Break), S_FALSE otherwise.</summary>
    [PreserveSig]
    int GetInterrupt();

    void SetInterrupt();
    void GetInterruptTimeout();
    void SetInterruptTimeout();
    void GetLogFile();
    void OpenLogFile();
    void CloseLogFile();
    void GetLogMask();
    void SetLogMask();
    void Input();
    void ReturnInput();

    /// <summary>Prints. The C function takes any number of arguments; this declaration fits a format of one "%s" on x64, where they are passed alike.</summary>
    [PreserveSig]
    int Output(uint mask, byte* format, byte* argument);

    void OutputVaList();

    /// <summary>The same with a choice of who gets it and how (DEBUG_OUTCTL_).</summary>
    [PreserveSig]
    int ControlledOutput(uint outputControl, uint mask, byte* format, byte* argument);

    void ControlledOutputVaList();
    void OutputPrompt();
    void OutputPromptVaList();
    void GetPromptText();
    void OutputCurrentState();
    void OutputVersionInformation();
    void GetNotifyEventHandle();
    void SetNotifyEventHandle();
    void Assemble();
    void Disassemble();
    void GetDisassembleEffectiveOffset();
    void OutputDisassembly();
    void OutputDisassemblyLines();
    void GetNearInstruction();
    void GetStackTrace();
    void GetReturnOffset();
    void OutputStackTrace();

    [PreserveSig]
    int GetDebuggeeType(out uint debuggeeClass, out uint qualifier);

    /// <summary>An IMAGE_FILE_MACHINE_ value.</summary>
    [PreserveSig]
    int GetActualProcessorType(out uint machine);

    void GetExecutingProcessorType();
    void GetNumberPossibleExecutingProcessorTypes();
    void GetPossibleExecutingProcessorTypes();

    [PreserveSig]
    int GetNumberProcessors(out uint number);

    /// <summary>For Windows NT the build is in <paramref name="minor"/>.</summary>
    [PreserveSig]
    int GetSystemVersion(out uint platform, out uint major, out uint minor, byte* servicePack, uint servicePackSize, uint* servicePackUsed, out uint servicePackNumber, byte* build, uint buildSize, uint* buildUsed);

    void GetPageSize();
    void IsPointer64Bit();
    void ReadBugCheckData();
    void GetNumberSupportedProcessorTypes();
    void GetSupportedProcessorTypes();
    void GetProcessorTypeNames();
    void GetEffectiveProcessorType();
    void SetEffectiveProcessorType();

    /// <summary>A DEBUG_STATUS_ value.</summary>
    [PreserveSig]
    int GetExecutionStatus(out uint status);

    void SetExecutionStatus();
    void GetCodeLevel();
    void SetCodeLevel();
    void GetEngineOptions();
    void AddEngineOptions();
    void RemoveEngineOptions();
    void SetEngineOptions();
    void GetSystemErrorControl();
    void SetSystemErrorControl();
    void GetTextMacro();
    void SetTextMacro();
    void GetRadix();
    void SetRadix();
    void Evaluate();
    void CoerceValue();
    void CoerceValues();
    void Execute();
    void ExecuteCommandFile();
    void GetNumberBreakpoints();
    void GetBreakpointByIndex();
    void GetBreakpointById();
    void GetBreakpointParameters();
    void AddBreakpoint();
    void RemoveBreakpoint();
    void AddExtension();
    void RemoveExtension();
    void GetExtensionByPath();
    void CallExtension();
    void GetExtensionFunction();
    void GetWindbgExtensionApis32();
    void GetWindbgExtensionApis64();
    void GetNumberEventFilters();
    void GetEventFilterText();
    void GetEventFilterCommand();
    void SetEventFilterCommand();
    void GetSpecificFilterParameters();
    void SetSpecificFilterParameters();
    void GetSpecificFilterArgument();
    void SetSpecificFilterArgument();
    void GetExceptionFilterParameters();
    void SetExceptionFilterParameters();
    void GetExceptionFilterSecondCommand();
    void SetExceptionFilterSecondCommand();
    void WaitForEvent();

    /// <summary>A DEBUG_EVENT_ value, the engine's numbers of process and thread, and what the event brings with it. Of a dump the event that it was written for.</summary>
    [PreserveSig]
    int GetLastEventInformation(out uint type, out uint process, out uint thread, void* extra, uint extraSize, uint* extraUsed, byte* description, uint descriptionSize, uint* descriptionUsed);

    /// <summary>The target's time, in seconds since 1970.</summary>
    [PreserveSig]
    int GetCurrentTimeDate(out uint seconds);
}
