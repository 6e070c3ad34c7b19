import { readFileSync } from 'node:fs'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The value of a secret: of the variable, or of the file that `<name>_FILE` names. Throws a sentence that names the
 * variable; neither the content nor the path, which somebody may have mistaken for the secret.
 */
export function readSecretVariable(variables: Variables, name: string): string | undefined {
  const value = trimToUndefined(variables[name])
  const file = trimToUndefined(variables[`${name}_FILE`])
  if (file === undefined) return value
  if (value !== undefined) throw new Error(`${name} and ${name}_FILE are both set. Keep one of them.`)
  const content = trimToUndefined(readFile(file, name))
  if (content === undefined) throw new Error(`The file that ${name}_FILE names is empty. Write the secret into it.`)
  return content
}

/** An empty variable is one that is not set. */
export const trimToUndefined = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim()

function readFile(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = String((cause as { code?: unknown }).code)
    throw new Error(
      `The file that ${name}_FILE names cannot be read (${code}). ` +
        "Make it readable for the server's user, and for no other.",
    )
  }
}
