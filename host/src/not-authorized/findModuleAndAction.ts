import { policyActions } from '@dmp/contract/endpoint'
import type { Declaration } from '@dmp/contract/remote'

/**
 * Returns module and action in the policy's spelling, or undefined if either is unknown: a link must not be able to put
 * text on the page.
 */
export function findModuleAndAction(
  module: string,
  action: string,
  declarations: readonly Pick<Declaration, 'navigation'>[],
): { module: string; action: string } | undefined {
  const modules = new Map<string, readonly string[]>(Object.entries(policyActions))
  for (const { module: name, action: needed } of declarations.flatMap(({ navigation }) => navigation)) {
    if (name !== undefined) modules.set(name, [...(modules.get(name) ?? []), ...(needed === undefined ? [] : [needed])])
  }
  const knownModule = [...modules].find(([name]) => isSame(name, module))
  const knownAction = knownModule?.[1].find((name) => isSame(name, action) || isSame(toCallName(name), action))
  return knownModule && knownAction ? { module: knownModule[0], action: knownAction } : undefined
}

/** Calls have the name of their action; those of users add the noun: `activateUser`. */
const toCallName = (action: string): string => `${action}User`
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
