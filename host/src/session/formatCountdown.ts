/** 9.07: 'N mins M secs', 'N min M secs', 'N secs'. */
export function formatCountdown(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / 1000))
  const minutes = Math.floor(all / 60)
  const seconds = all % 60
  if (minutes === 0) return toSecondsText(seconds)
  return minutes === 1 ? toMinuteText(seconds) : toMinutesText(minutes, seconds)
}

const toSecondsText = (seconds: number): string => `${seconds} secs`
const toMinuteText = (seconds: number): string => `1 min ${seconds} secs`
const toMinutesText = (minutes: number, seconds: number): string => `${minutes} mins ${seconds} secs`
