import { limits } from '@dmp/contract'

const secondsPerHour = 3600
/** Pauses between the tries of one message, in seconds; then the last of them again, until three days are over. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 57_600]
/** A receiver that is away is asked so often at most, however many messages wait for it. */
const longestRest = 600
/** What a receiver asks for by Retry-After, at most. */
const longestWish = secondsPerHour

export const retrySeconds = limits.webhookRetryHours * secondsPerHour
/** A pause that is longer was made before a clock was set back. */
export const longestPauseSeconds = Math.ceil((pauses.at(-1) ?? 0) * 1.2) + 60

/** Up to a fifth more or less, so that messages that failed together do not come back together. */
const spread = (seconds: number, chance: number): number => seconds * (0.8 + 0.4 * chance)

/** Seconds until a message is tried again, after so many tries; `chance` is between 0 and 1. */
export const pauseAfter = (tries: number, chance: number): number =>
  spread(pauses[Math.min(tries, pauses.length) - 1] ?? 5, chance)

/** Seconds for which nothing at all is sent to a receiver that has failed so many times, one after the other. */
export const restAfter = (failures: number, chance: number): number =>
  spread(Math.min(5 * 2 ** Math.min(failures - 1, 20), longestRest), chance)

/** Seconds of a Retry-After header; 0 where there is none that can be read. Dates are not read. */
export const parseRetryAfter = (header: string | undefined): number =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), longestWish) : 0
