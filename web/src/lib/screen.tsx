import { lazy, useState, type ComponentType } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A screen in a separate chunk. Once the chunk is loaded, the screen renders without suspending. */
export function screen<Props extends object>(load: Load<Props>) {
  let loaded: ComponentType<Props> | undefined;
  const get = async () => {
    const file = await load();
    loaded = file.default;
    return file;
  };
  const Waiting = lazy(get);
  function Screen(props: Props) {
    // This stays the same while the screen is mounted.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Shown {...props} />;
  }
  return Object.assign(Screen, { load: get });
}
