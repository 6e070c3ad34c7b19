const prefix = 'preference:'

/** Small choices of a person on this machine that are no secret: the theme, a table's density. */
export const preferences = {
  read(name: string): string | null {
    try {
      return localStorage.getItem(prefix + name)
    } catch {
      return null
    }
  },
  write(name: string, value: string): void {
    try {
      localStorage.setItem(prefix + name, value)
    } catch {
      // Blocked storage: the choice lives as long as the page.
    }
  },
}
