"""What the pages show, as plain data: functions of a `Workspace`, worked out in a process of its own.

They call the functions of the commands, which are imported when a view needs them: the server needs the types alone.
"""
