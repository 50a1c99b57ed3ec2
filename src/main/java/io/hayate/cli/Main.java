// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.HayateException;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.command.Numbers;
import io.hayate.cli.command.Spelling;
import io.hayate.cli.command.Version;
import io.hayate.cli.doctor.DoctorCommand;
import io.hayate.cli.doctor.InfoCommand;
import io.hayate.cli.explain.ExplainCommand;
import io.hayate.cli.observe.FlightCommand;
import io.hayate.cli.observe.StatCommand;
import io.hayate.cli.output.StandardOutput;
import io.hayate.cli.perf.Bench;
import io.hayate.cli.perf.Buffers;
import io.hayate.cli.perf.PerfCommand;
import io.hayate.cli.run.Launcher;
import io.hayate.cli.run.RunCommand;
import io.hayate.cli.tune.TuneCommand;
import io.hayate.internal.natives.Paths;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code hayate} command. */
@Command(name = "hayate",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Starts, measures and examines jobs of Hayate, a communication runtime for"
        + " Java solvers.",
        subcommands = {RunCommand.class, InfoCommand.class, DoctorCommand.class, PerfCommand.class,
            StatCommand.class, FlightCommand.class, ExplainCommand.class, TuneCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failure; the reason is on standard error", "2:the command"
                + " line is invalid",
            "141:the reader of standard output has closed it"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate run -n 4 -- java -cp solver.jar Solver     4 ranks on this machine",
            "  hayate doctor                                     check this machine",
            "  hayate perf pingpong --bytes 8:1M                 half round trips between 2 ranks",
            "  hayate stat 4711                                  counters of the job of process"
                    + " 4711",
            "  hayate explain allreduce -n 12 --bytes 64K        how a collective is carried out"})
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    /**
     * Runs a command and exits.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.setOut(StandardOutput.over(new FileOutputStream(FileDescriptor.out)));
        System.exit(execute(args));
    }

    /**
     * Runs a command.
     *
     * @param args the command line
     * @return its exit code
     */
    public static int execute(String... args) {
        if (args.length > 0 && args[0].equals("run")) { // the launcher parses the options
            return Launcher.execute(Arrays.asList(args).subList(1, args.length));
        }
        return commandLine(args).execute(args);
    }

    static CommandLine commandLine(String... args) {
        IFactory factory = CommandLine.defaultFactory();
        CommandLine line = new CommandLine(Main.class, new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == PerfCommand.class ? type.cast(new PerfCommand(args))
                        : type == TuneCommand.class ? type.cast(new TuneCommand(args))
                        : factory.create(type);
            }
        });
        Numbers.register(line);
        return line.registerConverter(Bench.class, text -> choose(Bench.values(), text))
                .registerConverter(Buffers.class, text -> choose(Buffers.values(), text))
                .registerConverter(PerfCommand.Way.class,
                        text -> choose(PerfCommand.Way.values(), text))
                .registerConverter(ExplainCommand.Transfer.class,
                        text -> choose(ExplainCommand.Transfer.values(), text))
                .registerConverter(ExplainCommand.Staging.class,
                        text -> choose(ExplainCommand.Staging.values(), text))
                .registerConverter(ExplainCommand.Sync.class,
                        text -> choose(ExplainCommand.Sync.values(), text))
                .registerConverter(Path.class, text -> Paths.of(text)
                        .orElseThrow(() -> new TypeConversionException(Paths.fault(text))))
                .setExecutionStrategy(Main::carryOut)
                .setParameterExceptionHandler(Main::complain)
                .setExecutionExceptionHandler(Main::report);
    }

    /** Converts by the text of the constants, which is in lower case. */
    private static <E extends Enum<E>> E choose(E[] all, String text) {
        for (E one : all) {
            if (one.toString().equals(text)) {
                return one;
            }
        }
        List<String> names = Arrays.stream(all).map(E::toString).toList();
        throw new TypeConversionException("'" + text + "': expected one of "
                + String.join(", ", names) + Spelling.hint(text, names));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** Prints help texts, which happens before a command runs that could report the error. */
    private static int carryOut(ParseResult parsed) {
        try {
            return new RunLast().execute(parsed);
        } catch (StandardOutput.Lost e) {
            return e.report("hayate");
        }
    }

    private static int complain(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println(name + ": " + e.getMessage() + hint(e));
        err.println("Try '" + name + " --help'.");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    /** Of picocli's own suggestions none is for a letter too many, too few or in another place. */
    private static String hint(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        Collection<String> names = unmatched.isUnknownOption()
                ? spec.options().stream().filter(option -> !option.hidden())
                        .flatMap(option -> Stream.of(option.names())).toList()
                : spec.subcommands().keySet();
        return Spelling.hint(unmatched.getUnmatched().get(0).replaceFirst("=.*", ""), names);
    }

    /** Expected failures are reported without a stack trace. */
    private static int report(Exception e, CommandLine line, ParseResult parsed) {
        String name = line.getCommandSpec().qualifiedName();
        PrintWriter err = line.getErr();
        if (e instanceof StandardOutput.Lost) {
            return ((StandardOutput.Lost) e).report(name);
        }
        if (e instanceof CommandFailure || e instanceof HayateException) {
            err.println(name + ": " + e.getMessage());
        } else {
            err.println(name + ": internal error, please report it:");
            e.printStackTrace(err);
        }
        err.flush();
        return CommandFailure.EXIT_CODE;
    }
}
