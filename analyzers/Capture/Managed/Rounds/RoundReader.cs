using System.Runtime.InteropServices;
using Iced.Intel;
using HangTriage.Capture.Managed.Code;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>Reads, of a frame that is in a loop, what decides how that continues.</summary>
internal sealed class RoundReader(IlModules modules, ClrRuntime runtime)
{
    private const int MostLoops = 4;
    private const int MostReads = 64;
    private const int MostOfStatic = 64;

    private int _reads;

    /// <param name="thread">Its thread.</param>
    /// <param name="frames">The stack.</param>
    /// <param name="index">Which frame.</param>
    /// <param name="at">Where it is in the method's IL, if known.</param>
    /// <param name="counter">Where from the frame pointer on the runtime counts rounds, if it does.</param>
    /// <returns>Null where it is in no loop, or in one that something else can end.</returns>
    public IReadOnlyList<WorkRound>? Of(ClrThread thread, IReadOnlyList<ClrStackFrame> frames, int index, int? at, int? counter)
    {
        ClrStackFrame frame = frames[index];
        if (runtime.DataTarget.DataReader.Architecture != Architecture.X64 || frame.Context.Length < ContextX64.Size
            || frame.Method is not { } method
            || modules.Of(method) is not { } module || MachineCode.Read(runtime, method, frame.InstructionPointer) is not { } code
            || code.IndexOf(frame.InstructionPointer) is not (>= 0 and var point))
        {
            return null;
        }

        int inside = index == 0 ? point : point - 1;
        IReadOnlyList<MachineLoop> loops = MachineLoop.Around(code, inside, MostLoops);
        if (loops.Count == 0)
        {
            return null;
        }

        HashSet<int> below = [.. frames.Skip(index).Select(outer => outer.Method).OfType<ClrMethod>()
            .Where(outer => modules.Of(outer) == module).Select(outer => outer.MetadataToken)];
        ClosedCode closed = new(modules);
        if (!ClosedCode.IsReadable(module, method.MetadataToken))
        {
            return null;
        }

        closed.Add(module, IlLoops.InstructionsAround(module.Body(method.MetadataToken), at));
        if (!closed.IsClosed || closed.AsksOthers(below))
        {
            return null;
        }

        Reading reading = new(this, thread, frames, index, code, point, inside)
        {
            Closed = closed,
            Below = below,
            Counter = counter,
            HasHandlers = module.Clauses(method.MetadataToken).Count > 0,
        };
        return [.. loops.Select(loop => reading.Of(loop)).OfType<WorkRound>()];
    }

    private sealed class Reading
    {
        private readonly RoundReader _reader;
        private readonly ClrThread _thread;
        private readonly ClrStackFrame _frame;
        private readonly MachineCode _code;
        private readonly MachineFrame _place;
        private readonly int _point;
        private readonly int _inside;
        private readonly bool _isLeaf;
        private readonly ulong _end;
        private readonly MachineStep[] _steps;

        public Reading(RoundReader reader, ClrThread thread, IReadOnlyList<ClrStackFrame> frames, int index, MachineCode code, int point,
            int inside)
        {
            _reader = reader;
            _thread = thread;
            _frame = frames[index];
            _code = code;
            _point = point;
            _inside = inside;
            _isLeaf = index == 0;
            ulong rbp = General(5);
            _place = new MachineFrame(rbp, _frame.StackPointer, code.FramesByRbp, reader.IsWindows);
            _end = code.FramesByRbp ? rbp
                : frames.Skip(index + 1).Select(outer => outer.StackPointer).FirstOrDefault(sp => sp > _frame.StackPointer);
            InstructionInfoFactory factory = new();
            _steps = [.. code.Code.Select(instruction => MachineStep.Of(instruction, factory, _place))];
        }

        public required ClosedCode Closed { get; init; }

        public required HashSet<int> Below { get; init; }

        public required int? Counter { get; init; }

        public required bool HasHandlers { get; init; }

        public WorkRound? Of(MachineLoop loop)
        {
            HashSet<long> counter = Counter is { } offset ? [.. MachineFrame.Words(unchecked(_place.Rbp + (ulong)offset), sizeof(int))]
                : [];
            LoopSlice slice = new(_code, _steps, _place, loop, counter);
            if (!slice.IsWhole)
            {
                return null;
            }

            // What a handler sets it sets in the same frame, outside of the loop's instructions.
            HashSet<long> taken = [.. slice.Taken(_end), .. HasHandlers ? SetOutside(loop) : []];
            taken.ExceptWith(counter);
            IReadOnlyList<long> counts = slice.Counts(taken);
            long[] needed = [.. slice.NeededAt(_point).Where(IsKnown)];
            MachineLoop turned = slice.Turned();
            long[] carried = [.. slice.NeededAt(turned.Head)];
            bool isCarriedKnown = carried.All(place => MachineFrame.IsSlot(place) || (IsKnown(place) && slice.IsNeededAt(place, _point)));
            return new WorkRound(new Address(_code.Code[turned.Head].IP), turned.RankOf(_inside))
            {
                State = Hash(needed.Union(taken)),
                Carried = isCarriedKnown ? Hash(carried.Union(taken)) : null,
                Counts = counts.Count == 0 ? null : ValueGraph.Hash(
                    [.. counts.SelectMany(place
                        => BitConverter.GetBytes(MachineFrame.IsSlot(place) ? Word(place) ?? 0 : General((int)place)))]),
            };
        }

        private IEnumerable<long> SetOutside(MachineLoop loop)
            => Enumerable.Range(loop.Head, _steps.Length - loop.Head).Where(index => !loop.Members.Contains(index))
                .SelectMany(index => _steps[index].Writes.Where(MachineFrame.IsSlot));

        private bool IsKnown(long place) => MachineFrame.IsSlot(place) || _isLeaf || (_place.IsKept(place) && place < MachineFrame.Vector);

        private string? Hash(IEnumerable<long> places)
        {
            if (_reader._reads++ >= MostReads)
            {
                return null;
            }

            long[] sorted = [.. places.Distinct().Order()];
            ValueGraph graph = new(_reader.Runtime);
            for (int number = 0; number < sorted.Length; number++)
            {
                long place = sorted[number];
                if (!MachineFrame.IsSlot(place))
                {
                    if (!AddRegister(graph, place))
                    {
                        return null;
                    }
                }
                else if (MachineFrame.AddressOf(place) % sizeof(ulong) == 0 && number + 1 < sorted.Length
                    && sorted[number + 1] == place + 1)
                {
                    if (Word(place) is not { } low || Word(place + 1) is not { } high)
                    {
                        return null;
                    }

                    graph.Add(low | (high << 32));
                    number++;
                }
                else if (Word(place) is { } word)
                {
                    graph.Add(BitConverter.GetBytes(word));
                }
                else
                {
                    return null;
                }
            }

            if (!Closed.Statics.All(field => _reader.AddStatic(graph, _frame.Method!, field.Field)))
            {
                return null;
            }

            int statics = Closed.Statics.Count;
            string? hash = graph.Finish();
            Closed.Add(graph.Types, graph.Methods);
            return Closed.IsClosed && Closed.Statics.Count == statics && !Closed.AsksOthers(Below) ? hash : null;
        }

        private bool AddRegister(ValueGraph graph, long place)
        {
            if (place == MachineFrame.Flags)
            {
                graph.Add(_frame.Context.Slice(ContextX64.Flags, sizeof(uint)));
            }
            else if (place < MachineFrame.Vector)
            {
                graph.Add(General((int)place));
            }
            else if (!_code.IsWide
                && ContextX64.Floats(_reader.Runtime.DataTarget.DataReader, _thread.OSThreadId, _frame.InstructionPointer) is { } floats)
            {
                graph.Add(floats.AsSpan((int)(place - MachineFrame.Vector) * ContextX64.FloatBytes, ContextX64.FloatBytes));
            }
            else
            {
                return false;
            }

            return true;
        }

        private ulong General(int number)
            => BitConverter.ToUInt64(_frame.Context.Slice(ContextX64.General + (number * sizeof(ulong)), sizeof(ulong)));

        private ulong? Word(long place)
            => _reader.Runtime.DataTarget.DataReader.Read(MachineFrame.AddressOf(place), out uint word) ? word : null;
    }

    private ClrRuntime Runtime => runtime;

    private bool IsWindows => runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Windows;

    private bool AddStatic(ValueGraph graph, ClrMethod method, IlMember member)
    {
        // What the compiler keeps there it makes once.
        if (member.Type.Contains("+<", StringComparison.Ordinal) || member.Name.StartsWith('<'))
        {
            return true;
        }

        // Of the framework's: read-only ones, as an empty string.
        if (!member.IsOwn)
        {
            return true;
        }

        if (method.Type?.Module is not { } owner || runtime.AppDomains.FirstOrDefault() is not { } domain
            || owner.GetTypeByName(member.Type) is not { } type
            || type.GetStaticFieldByName(member.Name) is not { } field)
        {
            return false;
        }

        if (!field.IsInitialized(domain))
        {
            return true;
        }

        if (field.IsObjectReference)
        {
            graph.Add(field.ReadObject(domain).Address);
            return true;
        }

        byte[] bytes = new byte[Math.Clamp(field.Size, 1, MostOfStatic)];
        bool isRead = field.GetAddress(domain) is > 0 and var address && runtime.DataTarget.DataReader.Read(address, bytes) == bytes.Length;
        graph.Add(bytes);
        return isRead;
    }
}
