import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { attack, type AttackTarget } from './attacks.ts'

/**
 * In a thread of its own, so that the attacker's work is not taken for the neighbour's waiting, and behind everybody
 * else on the processors: a real attacker brings a machine of their own.
 */
setPriority(constants.priority.PRIORITY_LOW)
const { name, target, seconds } = workerData as { name: string; target: AttackTarget; seconds: number }
parentPort?.once('message', () => {
  void attack(name, target, seconds).then((statuses) => {
    parentPort?.postMessage(statuses)
    parentPort?.close()
  })
})
parentPort?.postMessage('ready')
