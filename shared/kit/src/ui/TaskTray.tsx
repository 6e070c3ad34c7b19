import { Link } from '@dmp/kit/router'
import { useState } from 'react'
import { Progress } from './basics.tsx'
import { Button } from './Button.tsx'
import { Modal } from './Modal.tsx'
import { tasks, useTasks, type Task } from './tasks.ts'

/** Long-running tasks at a glance, for the top bar; draws nothing without tasks. */
export function TaskTray() {
  const [isOpen, setIsOpen] = useState(false)
  const list = useTasks()
  const [first] = list
  if (!first) return null
  const running = list.filter(isRunning)
  const percent =
    running.length === 0 ? 100 : Math.floor(running.reduce((sum, task) => sum + task.percent, 0) / running.length)
  return (
    <>
      <Button type="text" onClick={() => setIsOpen(true)}>
        Tasks {running.length > 0 ? `${percent}%` : list.some(({ state }) => state === 'failed') ? '!' : '✓'}
      </Button>
      {isOpen && (
        <Modal open title="Tasks" footer={null} onCancel={() => setIsOpen(false)}>
          <ul className="dmp-tasks">
            {list.map((task) => (
              <li key={task.id}>
                <Link to={task.url} onClick={() => setIsOpen(false)}>
                  {task.title}
                </Link>
                {!isRunning(task) && (
                  <Button
                    type="text"
                    size="small"
                    aria-label={`Dismiss ${task.title}`}
                    onClick={() => tasks.remove(task.id)}
                  >
                    Dismiss
                  </Button>
                )}
                <Progress
                  percent={task.percent}
                  size="small"
                  aria-label={task.title}
                  status={task.state === 'failed' ? 'exception' : 'normal'}
                />
                {task.note && <p>{task.note}</p>}
              </li>
            ))}
          </ul>
        </Modal>
      )}
    </>
  )
}

const isRunning = ({ state }: Task): boolean => state === 'running' || state === 'waiting'
