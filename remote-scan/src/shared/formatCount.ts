import { formatNumber } from '@dmp/kit'

/** "1 image", "2 images"; a noun with another plural names it. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`
