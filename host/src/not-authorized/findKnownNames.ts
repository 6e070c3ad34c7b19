import { policyActions } from '@dmp/contract/endpoint'
import type { Declaration } from '@dmp/contract/remote'

/**
 * Module and action in the policy's own spelling, or undefined when either is no name of the product: an address that
 * somebody sends must not be able to put words on the page.
 */
export function findKnownNames(
  module: string,
  action: string,
  declarations: readonly Pick<Declaration, 'navigation'>[],
): { module: string; action: string } | undefined {
  const known = new Map<string, readonly string[]>(Object.entries(policyActions))
  for (const { module: name, action: needed } of declarations.flatMap(({ navigation }) => navigation)) {
    if (name !== undefined) known.set(name, [...(known.get(name) ?? []), ...(needed === undefined ? [] : [needed])])
  }
  const found = [...known].find(([name]) => isSame(name, module))
  const knownAction = found?.[1].find((name) => isSame(name, action) || isSame(toCallName(name), action))
  return found && knownAction ? { module: found[0], action: knownAction } : undefined
}

/** Calls are named after their action, one module's with its noun: `activateUser`. */
const toCallName = (action: string): string => `${action}User`
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
