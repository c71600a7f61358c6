@echo off
rem Builds everything and runs every test that can run on Windows.
cd /d "%~dp0"
dotnet build Extension.sln --nologo -v quiet || exit /b 1
dotnet test Extension.sln --no-build --nologo %*
