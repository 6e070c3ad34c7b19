/** A browser or app as people name it: "Chrome on Windows". Only for the list of sessions; nothing is decided by it. */
export function describeDevice(userAgent: string): string {
  const browser = [
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
    [/uploader/i, 'Uploader'],
  ] as const
  const system = [
    [/Windows/, 'Windows'],
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Mac OS X/, 'macOS'],
    [/Linux/, 'Linux'],
  ] as const
  const findLabel = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const app = findLabel(browser)
  const where = findLabel(system)
  if (app && where) return `${app} on ${where}`
  return app ?? where ?? 'Unknown app'
}
