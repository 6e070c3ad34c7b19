const prefix = 'preference:'

/** Small choices that a browser remembers for its user and that are not secret, such as the theme. */
export const preferences = {
  /** The key in the local storage, as other tabs hear of it. */
  key: (name: string): string => prefix + name,
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
      // Without storage, the choice lasts as long as the page.
    }
  },
}
