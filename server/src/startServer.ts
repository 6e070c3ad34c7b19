import type { FastifyBaseLogger } from 'fastify'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { StartFailure } from './core/StartFailure.ts'
import { toLocation } from './databaseLocation.ts'
import { openDatabase, type Database } from './db/client.ts'
import type { EmbeddedOptions } from './db/embedded.ts'
import { createLogger } from './http/logger.ts'
import { readSettings, type Settings } from './settings/settings.ts'

export interface StartOptions {
  /** What has to be there before anybody is answered; the database is prepared meanwhile. */
  readonly until?: Promise<unknown>
  /** What is still being built when the first page goes out, in people's words. */
  readonly listComing?: () => readonly string[]
  /** Where another process has the embedded database open. */
  readonly startThread?: EmbeddedOptions['startThread']
  /**
   * Somebody edits its sources: an error of theirs is thrown with its place, and whoever started it says when it is
   * ready.
   */
  readonly isDevelopment?: boolean
}

/** What a start begins with. */
export interface Opened {
  readonly settings: Settings
  readonly log: FastifyBaseLogger
  readonly opening: Promise<Database>
}

/**
 * Listens until it is told to stop. Whatever keeps it from starting is said in sentences, with exit code 1. The
 * database opens in its thread while most of the sources are loaded, which takes as long.
 */
export async function startServer(options: StartOptions = {}): Promise<void> {
  // It may fail before anybody waits for it.
  options.until?.catch(() => undefined)
  const opened = await orSay(async () => open(options), options)
  // Of a source that cannot be read, Node says the line.
  const { serve } = await import('./serve.ts')
  await orSay(() => serve(options, opened), options)
}

function open({ startThread }: StartOptions): Opened {
  const settings = readSettings()
  makeFolderPrivate(settings.dataDir)
  const log = createLogger(settings)
  const place = toLocation(settings, log)
  const opening = openDatabase(place.kind === 'folder' ? { ...place, startThread } : place)
  opening.catch(() => undefined)
  return { settings, log, opening }
}

async function orSay<T>(begin: () => Promise<T>, { isDevelopment }: StartOptions): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    if (isDevelopment && !(error instanceof StartFailure)) throw error
    const sentences =
      error instanceof StartFailure
        ? error.sentences
        : [`The server could not start: ${error instanceof Error ? error.message : String(error)}`]
    process.stderr.write(`${sentences.join('\n')}\n`)
    process.exit(1)
  }
}
