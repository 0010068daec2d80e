import type { Command } from 'commander';

/** Adds a command to the program; its action hands its exit code to `onExit`. */
export type RegisterCommand = (program: Command, onExit: (code: number) => void) => void;
