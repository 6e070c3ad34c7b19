/**
 * Bytes on their way to another thread. A view is sent with all of the memory that it looks into, which for a
 * row of the
 * database may be the whole answer: what is sent has memory of its own, and is handed over instead of copied.
 */

const isView = (value: unknown): value is Uint8Array | Float64Array | Uint32Array =>
  value instanceof Uint8Array || value instanceof Float64Array || value instanceof Uint32Array

/** Messages hold their bytes near the top; below are headers. */
const maxDepth = 3

/** The same message, its bytes in memory of their own. */
export function copyBytes<T>(message: T, depth = 0): T {
  // A Buffer's own `slice` would be another view.
  if (message instanceof Uint8Array) return new Uint8Array(message) as T
  if (isView(message)) return message.slice() as T
  if (depth > maxDepth || typeof message !== 'object' || message === null) return message
  if (Array.isArray(message)) return message.map((child: unknown) => copyBytes(child, depth + 1)) as T
  if (Object.getPrototypeOf(message) !== Object.prototype) return message
  return Object.fromEntries(Object.entries(message).map(([key, child]) => [key, copyBytes(child, depth + 1)])) as T
}

/** The memory in a message that belongs to it alone. */
export function listOwnMemory(message: unknown, depth = 0): ArrayBuffer[] {
  if (isView(message)) {
    const { buffer, byteLength } = message
    return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
  }
  if (depth > maxDepth || typeof message !== 'object' || message === null) return []
  return Object.values(message).flatMap((child) => listOwnMemory(child, depth + 1))
}
