// Curated: every page loads every line of this list. Form controls and the table have entries of their own.
export {
  CheckOutlined,
  CloseOutlined,
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  ExclamationCircleOutlined,
  EyeInvisibleOutlined,
  EyeOutlined,
  RightOutlined,
  UploadOutlined,
} from './icons.tsx'
export { Alert, type AlertProps } from './Alert.tsx'
export { Button, type ButtonProps } from './Button.tsx'
export { loadDialogs } from './dialogs.ts'
export { Modal } from './Modal.tsx'
export { Card, Checkbox, Flex, Progress, Skeleton, Spinner } from './basics.tsx'
export { chooseLanguageItem, languageItems, LanguageMenu } from './LanguageMenu.tsx'
export { MenuButton, type MenuItem } from './MenuButton.tsx'
export { usePopover } from './usePopover.ts'
export { notify } from './notify.ts'
export { offerUndo, takeBack, type Undo } from './offerUndo.ts'
export { NoticeList, RecentNotices } from './RecentNotices.tsx'
export { StatusBadge, type BadgeTone } from './StatusBadge.tsx'
export { chooseTheme } from './themeChoice.ts'
export { ThemeProvider } from './ThemeProvider.tsx'
export { ThemeToggle } from './ThemeToggle.tsx'
export { tasks, type Task, type TaskAction } from './tasks.ts'
export { TaskTray } from './TaskTray.tsx'
export { Wordmark } from './Wordmark.tsx'
